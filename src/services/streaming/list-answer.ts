import { BackofficeError, unauthorized } from '../../contract/errors.ts';
import { type ListId, rowsField } from '../../contract/registry.ts';
import { otherSortError, type Position, toCursor } from '../../contract/schemas/cursors.ts';
import type { Database, RunOn } from '../../db/connection/database.ts';
import { runSearch } from '../../db/lists/find-matches.ts';
import type { ListMemo } from '../../db/lists/list-memo.ts';
import type { ListQuery } from '../../db/lists/list-query.ts';
import type { NewestPage } from '../../db/lists/newest-page.ts';
import { countRows, readList, type Totals } from '../../db/lists/read-list.ts';
import { selectVersion, type VersionedTable } from '../../db/lists/table-versions.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import { Stopwatch } from '../../shared/time.ts';
import type { Log } from '../call/observer.ts';
import { refuse } from '../call/refuse.ts';
import type { Limited, Limiters } from '../load/classes.ts';
import type { Limiter } from '../load/limiter.ts';
import { type Delivery, JsonPieces, type NextPage, type Produce, StreamedJson } from './streamed-json.ts';

interface ListCall {
  readonly db: Database;
  readonly limited: Limited;
  readonly limiters: Limiters;
  readonly memos: { readonly lists: ListMemo };
  readonly hasAccess: () => Promise<boolean>;
  readonly log: Log;
}

/**
 * Answers a list: all of it as `{"<rows>":[…]}`, or with a limit one page and the cursor of the next.
 *
 * @param count - whether to count the rows on all pages
 * @throws BackofficeError `invalid` if the cursor is of another sort
 */
export function answerList(
  call: ListCall,
  id: ListId,
  query: ListQuery,
  { limit, count = false }: { readonly limit: number | undefined; readonly count?: boolean },
): StreamedJson {
  const { db, limited } = call;
  const { cursor, sort } = query.order;
  if (cursor?.[2] !== undefined && cursor[2] !== sort) refuse(otherSortError);
  const name = rowsField(id);
  const produce: Produce = async (write, delivery) => {
    const find: RunOn = (work) => (query.search === undefined ? work(db) : limited('searches', work));
    const pieces = new JsonPieces(write);
    let end = ']}';
    pieces.open(`{${JSON.stringify(name)}:[`);
    const waiting = new Stopwatch();
    const take: TakeRows = (rows) => waiting.time(() => pieces.rows(rows));
    await readList(db, query, limit, take, {
      readLong: (work) => readInTurn(call, { list: name, waiting }, delivery, work),
      find,
      memo: call.memos.lists,
      async onStart({ version, next }) {
        // The counts may be newer than the version, but not older.
        const totals = count ? await find((found) => countRows(found, query)) : {};
        end = endOfList(limit === undefined ? undefined : next, totals);
        delivery.onVersion?.(version);
        delivery.onNext?.(nextPage(next));
      },
    });
    await pieces.close(end);
  };
  const read = () => selectVersion(db, query.tables);
  return new StreamedJson(produce, { read, comesWithAnswer: true });
}

/** Answers a page of rows as `{"<name>":[…],"nextCursor":…}`. With their `tables`, a browser may keep it. */
export function answerNewest(
  { db }: Pick<ListCall, 'db'>,
  name: string,
  read: () => Promise<NewestPage & { readonly totals?: Totals }>,
  tables?: readonly VersionedTable[],
): StreamedJson {
  return new StreamedJson(
    async (write, { onNext }) => {
      const { rows, next, totals } = await read();
      onNext?.(nextPage(next));
      const pieces = new JsonPieces(write);
      pieces.open(`{${JSON.stringify(name)}:[`);
      if (await pieces.rows(rows)) await pieces.close(endOfList(next, totals));
    },
    tables && { read: () => selectVersion(db, tables), comesWithAnswer: false },
  );
}

/** Runs the query of a short list. With something to search for, it waits for its turn and has the limits of a search. */
export async function findShort<T>(
  { db, limited }: Pick<ListCall, 'db' | 'limited'>,
  q: string | undefined,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  if (q === undefined) return await work(db);
  return await limited('searches', (found) => runSearch(found, { q }, work));
}

const checkMs = 1_000;

/** How long each long list that is being read has waited for its reader, by the limiter of its service. */
const waits = new WeakMap<Limiter, Set<Stopwatch>>();

/**
 * Reads a long list when it is the reader's turn. The wait may be longer than the deadline of a call. The slowest reader is
 * disconnected while others wait. A busy database or process makes no reader slow.
 */
async function readInTurn<T>(
  { limited, limiters, hasAccess, log }: ListCall,
  { list, waiting }: { readonly list: string; readonly waiting: Stopwatch },
  { disconnect, pauseDeadline }: Delivery,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  const startDeadline = pauseDeadline?.();
  let isWaiting = false;
  const running = waits.get(limiters.lists) ?? new Set();
  waits.set(limiters.lists, running);
  const checkReader = () => {
    const { limits, waiting: queue } = limiters.lists;
    if (limits.readerMs === undefined || waiting.ms < limits.readerMs || queue === 0) return;
    // The slowest stays in the set until its turn has ended, so that no second one is disconnected for the same caller.
    if ([...running].some((other) => other.ms > waiting.ms)) return;
    log.warn({ list }, 'slow list reader disconnected because others are waiting');
    disconnect?.();
  };
  try {
    const reading = limited('lists', async (db) => {
      startDeadline?.();
      // A caller who has lost access while waiting gets nothing.
      if (isWaiting && !(await hasAccess())) throw new BackofficeError(unauthorized);
      running.add(waiting);
      const timer = setInterval(checkReader, checkMs);
      return await read(db).finally(() => {
        clearInterval(timer);
        running.delete(waiting);
      });
    });
    isWaiting = true;
    return await reading;
  } finally {
    startDeadline?.();
  }
}

/** Returns the parameters of the request of the next page. */
export function nextPage(next: Position | null): NextPage | null {
  return next && { cursor: toCursor(next) };
}

/** Returns the text after the rows: of a page the cursor of the next one, and the counts. */
export function endOfList(next: Position | null | undefined, totals: Totals = {}): string {
  const fields = JSON.stringify({ nextCursor: next && toCursor(next), ...totals }).slice(1);
  return fields === '}' ? ']}' : `],${fields}`;
}
