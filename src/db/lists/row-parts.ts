import { sql } from 'slonik';
import { z } from 'zod';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/database.ts';
import { type ListQuery, rowAsJson } from './list-query.ts';

/** A row that is too long to be read with the others. */
export interface LongRow {
  readonly bytes: number;
  readonly id: string | number;
}

/** The JSON texts of short rows, joined by commas, or a long row between them. */
export type Part = string | LongRow;

/** A row with a longer text is not read in the first query. */
export const maxShortTextBytes = 8 * 1024;

/** About how many bytes of long rows are read at a time. */
const chunkLength = 2 * 1024 * 1024;

/**
 * Reads the long rows among the parts of a list, and lets the reader take all parts in order.
 *
 * @returns whether the reader takes more
 */
export async function takeParts(
  db: Database,
  query: ListQuery,
  parts: readonly Part[],
  take: TakeRows,
): Promise<boolean> {
  for (const chunk of chunksOf(parts)) {
    const long = await selectLongRows(db, query, chunk);
    // A long row that has been deleted since is left out.
    const texts = chunk
      .map((part) => (typeof part === 'string' ? part : long.get(part.id)))
      .filter((text) => text !== undefined);
    if (!(await take(texts))) return false;
  }
  return true;
}

function* chunksOf(parts: readonly Part[]): Generator<Part[]> {
  let chunk: Part[] = [];
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

/** Not validated: Postgres itself makes their text. */
const jsonRow = z.unknown() as unknown as z.ZodType<{
  readonly json: string;
  readonly id: LongRow['id'];
}>;

/**
 * Reads the long rows of a chunk by their ids. Outside of a transaction, each chunk is a query of its own, so that no
 * connection waits for the reader. A row that has changed since keeps its place: selected by its time or by the list's
 * conditions, it might be missing or appear twice.
 */
async function selectLongRows(
  db: Database,
  query: ListQuery,
  chunk: readonly Part[],
): Promise<ReadonlyMap<LongRow['id'], string>> {
  const ids = chunk.flatMap((part) => (typeof part === 'string' ? [] : [part.id]));
  if (ids.length === 0) return new Map();
  const type = typeof ids[0] === 'number' ? 'int8' : 'text';
  const rows = await db.any(sql.type(jsonRow)`
    select ${rowAsJson(query.columns)} as json, ${query.id} as id
    ${query.source}
    where ${query.id} = any(${sql.array(ids, type)})
  `);
  return new Map(rows.map(({ json, id }) => [id, json]));
}
