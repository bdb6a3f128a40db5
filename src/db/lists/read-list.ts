import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { RunLimited } from '../../shared/semaphore.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/pool.ts';
import type { SelectArrays } from '../connection/select-arrays.ts';
import { probeEachRow } from './find-matches.ts';
import { findPage, findRows } from './find-rows.ts';
import type { LongRow } from './found-rows.ts';
import { type ListQuery, rowAsJson } from './list-query.ts';
import { chunkLength, readByCursor } from './read-by-cursor.ts';

/** Not validated: there may be very many rows, and Postgres itself makes their text. */
const longRow = z.unknown() as unknown as z.ZodType<{ readonly json: string; readonly id: LongRow['id'] }>;

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
  { runLimited, onStart = () => {}, limitFind = (work) => work(), select }: ReadListOptions,
): Promise<void> {
  const { version, isTooLong, parts, next } = await limitFind(() =>
    limit === undefined ? findRows(db, query) : findPage(db, query, limit, select),
  );
  await onStart({ version, next });
  if (isTooLong) return await runLimited(() => readByCursor(db, probeEachRow(query), take));
  for (const chunk of chunksOf(parts)) {
    const long = await selectLongRows(db, query, chunk);
    // A long row that has been deleted since is left out.
    const texts = chunk
      .map((part) => (typeof part === 'string' ? part : long.get(part.id)))
      .filter((text) => text !== undefined);
    if (!(await take(texts))) return;
  }
}

/** Splits rows into chunks that hold a limited length of long rows. */
function* chunksOf(parts: readonly (string | LongRow)[]): Generator<(string | LongRow)[]> {
  let chunk: (string | LongRow)[] = [];
  let length = 0;
  for (const part of parts) {
    const partLength = typeof part === 'string' ? 0 : part.bytes;
    if (length > 0 && length + partLength > chunkLength) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(part);
    length += partLength;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Reads the long rows of a chunk by their ids. Each chunk is a query of its own, so that no connection waits for the
 * reader. A row that has changed since keeps its place: selected by its time or by the list's conditions, it might be
 * missing or appear twice.
 */
async function selectLongRows(
  db: Database,
  query: ListQuery,
  chunk: readonly (string | LongRow)[],
): Promise<ReadonlyMap<LongRow['id'], string>> {
  const ids = chunk.flatMap((part) => (typeof part === 'string' ? [] : [part.id]));
  if (ids.length === 0) return new Map();
  const type = typeof ids[0] === 'number' ? 'int8' : 'text';
  const rows = await db.any(sql.type(longRow)`
    select ${rowAsJson(query)} as json, ${query.id} as id
    ${query.source}
    where ${query.id} = any(${sql.array(ids, type)})
  `);
  return new Map(rows.map(({ json, id }) => [id, json]));
}
