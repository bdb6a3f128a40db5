import { BackofficeError, unauthorized } from '../../contract/errors.ts';
import { type ListId, rowsField } from '../../contract/registry.ts';
import { otherSortError, type Position, toCursor } from '../../contract/schemas/cursors.ts';
import { runInTurn } from '../../db/connection/caller.ts';
import type { Database } from '../../db/connection/pool.ts';
import type { SelectArrays } from '../../db/connection/select-arrays.ts';
import { countRows, type Totals } from '../../db/lists/count-rows.ts';
import type { ListMemo } from '../../db/lists/list-memo.ts';
import type { ListQuery } from '../../db/lists/list-query.ts';
import { readList } from '../../db/lists/read-list.ts';
import { selectVersion } from '../../db/lists/table-versions.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import { Stopwatch } from '../../shared/time/stopwatch.ts';
import type { RightOfWay } from '../../shared/waiting/right-of-way.ts';
import type { RunLimited } from '../../shared/waiting/semaphore.ts';
import type { Actor } from '../call/actor.ts';
import type { ActorSlots } from '../call/actor-slots.ts';
import type { Log } from '../call/log.ts';
import { refuse } from '../call/refuse.ts';
import { JsonPieces } from './json-pieces.ts';
import type { ListQueue } from './list-queue.ts';
import { type Delivery, type NextPage, type Produce, StreamedJson } from './streamed-json.ts';

/** What a list needs of its call. */
interface ListCall {
  readonly db: Database;
  readonly selectOnPrimary: SelectArrays | undefined;
  readonly listMemo: ListMemo;
  readonly listQueue: ListQueue;
  readonly rightOfWay: RightOfWay;
  readonly searchSlots: ActorSlots;
  readonly actor: Actor;
  readonly hasAccess: () => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** How much of a list a call asks for. */
interface Wanted {
  /** The rows of a page. Undefined means the whole list. */
  readonly limit: number | undefined;
  /** Whether to count the rows on all pages. */
  readonly count?: boolean;
}

/**
 * Answers a list: all of it as `{"<rows>":[…]}`, or with a limit one page and the cursor of the next.
 *
 * @throws BackofficeError `invalid` if the cursor is of another sort
 */
export function answerList(
  call: ListCall,
  id: ListId,
  query: ListQuery,
  { limit, count = false }: Wanted,
): StreamedJson {
  const { db, searchSlots, rightOfWay, actor, signal } = call;
  const { cursor, sort } = query.order;
  if (cursor?.[2] !== undefined && cursor[2] !== sort) refuse(otherSortError);
  const name = rowsField(id);
  const produce: Produce = async (write, delivery) => {
    const find: RunLimited = (work) =>
      query.search === undefined ? work() : searchSlots.run({ actor, signal }, work);
    const pieces = new JsonPieces(write);
    let end = ']}';
    pieces.open(`{${JSON.stringify(name)}:[`);
    const waiting = new Stopwatch();
    let isLong = false;
    const take: TakeRows = async (rows) => {
      if (isLong) await rightOfWay.give();
      return await waiting.time(() => pieces.rows(rows));
    };
    await readList(db, query, limit, take, {
      runLimited(work) {
        isLong = true;
        return readInTurn(call, { list: name, waiting }, delivery, work);
      },
      limitFind: find,
      select: call.selectOnPrimary,
      memo: call.listMemo,
      async onStart({ version, next }) {
        // The counts may be newer than the version, but not older.
        const totals = count ? await find(() => countRows(db, query)) : {};
        end = endOfList(limit === undefined ? undefined : next, totals);
        delivery.onVersion(version);
        delivery.onNext(nextPage(next));
      },
    });
    await pieces.close(end);
  };
  return new StreamedJson(produce, {
    read: () => selectVersion(db, query.tables, call.selectOnPrimary),
    comesWithAnswer: true,
  });
}

/** Reads a long list when it is the reader's turn. The wait may be longer than the deadline of a call. */
async function readInTurn<T>(
  { listQueue, actor, hasAccess, signal, log }: ListCall,
  { list, waiting }: { readonly list: string; readonly waiting: Stopwatch },
  { disconnect, pauseDeadline, left }: Delivery,
  read: () => Promise<T>,
): Promise<T> {
  const reader = {
    actor,
    signal: AbortSignal.any([signal, left]),
    waitedMs: () => waiting.ms,
    disconnect() {
      log.warn({ list }, 'slow list reader disconnected because others are waiting');
      disconnect();
    },
  };
  const startDeadline = pauseDeadline();
  let isWaiting = false;
  try {
    const reading = listQueue.run(reader, async () => {
      startDeadline();
      // A caller who has lost access while waiting gets nothing.
      if (isWaiting && !(await hasAccess())) throw new BackofficeError(unauthorized);
      // It mostly waits for its reader, and the queue of the lists has its own limits.
      return await runInTurn(read);
    });
    isWaiting = true;
    return await reading;
  } finally {
    startDeadline();
  }
}

/** Returns the parameters of the request of the next page. */
export function nextPage(next: Position | null): NextPage | null {
  return next === null ? null : { cursor: toCursor(next) };
}

/** Returns the text after the rows: of a page the cursor of the next one, and the counts. */
export function endOfList(next: Position | null | undefined, totals: Totals = {}): string {
  const cursor = next === undefined ? {} : { nextCursor: next === null ? null : toCursor(next) };
  const fields = JSON.stringify({ ...cursor, ...totals }).slice(1);
  return fields === '}' ? ']}' : `],${fields}`;
}
