import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/database.ts';
import { type ListQuery, shownColumns } from './list-query.ts';

/** A row that is too long to be read with the others. */
export interface LongRow {
  readonly bytes: number;
  readonly id: string | number;
}

/** The JSON texts of short rows, joined by commas, or a long row between them. */
export type Part = string | LongRow;

/** The first rows of a list, in order. */
export interface FirstRows {
  /** The version of the list's tables in the snapshot that the rows were read from. */
  readonly version: string;
  /** How many rows were found. */
  readonly length: number;
  readonly parts: readonly Part[];
}

/** The rows of a list or a page, in order. */
export interface FoundRows extends Pick<FirstRows, 'version' | 'parts'> {
  /** Whether a whole list has too many rows for one query. Then the rows are not all there. */
  readonly isTooLong: boolean;
  /** The position of the last row of a page, if more rows follow. */
  readonly next: Position | null;
}

/** A row with a longer text is not read in the first query. */
export const maxShortTextBytes = 8 * 1024;

/**
 * Returns a row as JSON text. Making the objects costs Postgres more than it saves this process, but this process has
 * only one thread for all requests.
 */
export function rowAsJson({ columns, keptText }: Pick<ListQuery, 'columns' | 'keptText'>): FragmentSqlToken {
  return keptOr(
    keptText,
    sql.fragment`(select row_to_json(list_row)::text from (select ${shownColumns(columns)}) as list_row)`,
  );
}

/** Returns the kept text of a row, or another one where there is none. */
function keptOr(keptText: FragmentSqlToken | undefined, text: FragmentSqlToken): FragmentSqlToken {
  return keptText === undefined ? text : sql.fragment`coalesce(${keptText}, ${text})`;
}

/** Surrounds a long row among the texts of the short ones, where JSON would escape it. */
const mark = '\u0001';

/** Returns the text of a row: its JSON if it is short, else what stands for it among the other texts. */
export function rowText(query: ListQuery): FragmentSqlToken {
  const { columns, keptText, maxTextBytes, id } = query;
  return keptOr(
    keptText,
    sql.fragment`
      case when ${maxTextBytes} > ${maxShortTextBytes}
        then ${mark} || json_build_array(${maxTextBytes}, ${id})::text || ${mark}
        else ${rowAsJson({ columns })}
      end
    `,
  );
}

/** Splits texts of rows that are joined by commas: short rows stay together, and between them are the long ones. */
export function partsOf(rows: string): Part[] {
  if (!rows.includes(mark)) return [rows];
  return rows.split(mark).flatMap((part, index): Part[] => {
    if (index % 2 === 1) {
      const [bytes, id] = JSON.parse(part) as [number, string | number];
      return [{ bytes, id }];
    }
    const short = part.replace(/^,|,$/g, '');
    return short === '' ? [] : [short];
  });
}

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

/** Splits rows into chunks that hold a limited length of long rows. */
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

/** Not validated: there may be very many rows, and Postgres itself makes their text. */
const longRow = z.unknown() as unknown as z.ZodType<{ readonly json: string; readonly id: LongRow['id'] }>;

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
  const rows = await db.any(sql.type(longRow)`
    select ${rowAsJson(query)} as json, ${query.id} as id
    ${query.source}
    where ${query.id} = any(${sql.array(ids, type)})
  `);
  return new Map(rows.map(({ json, id }) => [id, json]));
}
