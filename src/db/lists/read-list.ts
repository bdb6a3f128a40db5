import type { Position } from '../../contract/schemas/cursors.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { RunLimited } from '../../shared/waiting/semaphore.ts';
import type { Database } from '../connection/pool.ts';
import type { SelectArrays } from '../connection/select-arrays.ts';
import { isWhollyOrdered } from './filtered-rows.ts';
import { probeEachRow } from './find-matches.ts';
import { findPage, findRows } from './find-rows.ts';
import type { ListMemo } from './list-memo.ts';
import type { ListQuery } from './list-query.ts';
import { readByCursor } from './read-by-cursor.ts';
import { readBySnapshot } from './read-by-snapshot.ts';
import { takeParts } from './take-parts.ts';

/** What is known of a list before its rows are taken. */
export interface ListStart {
  /** The version of the list's tables. The rows are not older. */
  readonly version: string;
  /** The position of the last row of a page, if more rows follow. */
  readonly next: Position | null;
}

export interface ReadListOptions {
  /** Limits how many long lists are read at once, because each keeps a connection until its reader is done. */
  readonly runLimited: RunLimited;
  /** Called before the first rows are taken. */
  readonly onStart?: (start: ListStart) => Promise<void> | void;
  /** Limits how many searches run at once. */
  readonly limitFind?: RunLimited;
  /** Selects the rows of a page. By default, the database does. */
  readonly select?: SelectArrays | undefined;
  /** Remembers pages and short lists. */
  readonly memo?: ListMemo | undefined;
}

/**
 * Reads a list, or one page of it if there is a limit, in chunks: the memory stays flat for any number and length of
 * rows. One snapshot determines the rows and their order.
 *
 * @param take - takes the JSON texts of rows, some of them several rows joined by commas
 */
export async function readList(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
  take: TakeRows,
  { runLimited, onStart = () => {}, limitFind = (work) => work(), select, memo }: ReadListOptions,
): Promise<void> {
  const { version, isTooLong, parts, next } = await limitFind(() =>
    limit === undefined ? findRows(db, query, memo) : findPage(db, query, limit, select, memo),
  );
  await onStart({ version, next });
  if (!isTooLong) await takeParts(db, query, parts, take);
  else if (isWhollyOrdered(query)) await runLimited(() => readBySnapshot(db, query, take));
  else await runLimited(() => readByCursor(db, probeEachRow(query), take));
}
