import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { Database } from '../connection/database.ts';
import { completeTimestamp, exactTimestamp, isoTimestamp, shortTimestamp } from '../timestamps.ts';
import { filteredAndOrdered } from './filter-scans.ts';
import { findMatches } from './find-matches.ts';
import { asStep, type ListMemo, noVersion } from './list-memo.ts';
import type { ListColumn, ListColumns, ListQuery } from './list-query.ts';
import { type LongRow, maxShortTextBytes, type Part } from './row-parts.ts';
import { versionOf } from './table-versions.ts';

/** The first rows of a list. */
export interface Page {
  /** The version of the list's tables in the snapshot that the rows were read from. */
  readonly version: string;
  /** How many rows were found: one more than the limit if more rows follow. */
  readonly length: number;
  readonly parts: readonly Part[];
  /** The position of the last row, if more rows follow. */
  readonly next: Position | null;
  /** Whether the list has a search for a word that is frequent in its first rows. */
  readonly isFrequent?: boolean;
}

/**
 * Finds the rows of a page, and reads the short ones. Most pages have only short rows, so this one query reads all of
 * them.
 */
export async function findPage(
  db: Database,
  query: ListQuery,
  limit: number,
  memo?: ListMemo,
): Promise<Page> {
  const { search } = query;
  if (search === undefined) return await selectPage(db, query, limit, memo);
  const select = (tx: Database, list: ListQuery) => selectPage(tx, list, limit);
  const { found, isFrequent } = await findMatches(db, { ...query, search }, limit + 1, select);
  return { ...found, isFrequent };
}

/** The version, the bytes of a long row, and the values of the columns. */
type Row = readonly unknown[];

const bytesIndex = 1;
const firstColumn = 2;

/**
 * Selects the first rows of a list. Postgres sends their values as they are stored, and this process makes their JSON.
 * This costs Postgres a quarter of making the text, and this process little more than passing it on.
 */
async function selectPage(db: Database, query: ListQuery, limit: number, memo?: ListMemo): Promise<Page> {
  const { statement, key, place } = statementOf(query, limit);
  const read = async (versioned: QuerySqlToken): Promise<Page> => {
    const rows = (await db.any(versioned)).map((row): Row => Object.values(row as object));
    const found = rows.filter((row) => row[key] !== null);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      version: String(rows[0]?.[0]),
      length: found.length,
      parts: partsOf(page, query.columns, key),
      next: last === undefined ? null : positionOf(query, String(last[place]), last[key] as LongRow['id']),
    };
  };
  return await (memo === undefined ? read(statement) : memo.find(statement, read));
}

/** The latest statement of each query. Writing one costs this process as much as sending it. */
const statements = new WeakMap<ListQuery, ReturnType<typeof writeStatement>>();

function statementOf(query: ListQuery, limit: number) {
  const known = statements.get(query);
  if (known?.limit === limit) return known;
  const written = writeStatement(query, limit);
  statements.set(query, written);
  return written;
}

/** Returns also where the id of a row is, and its place in the order. */
function writeStatement(query: ListQuery, limit: number) {
  const { stored, key, place } = storedOf(query);
  const names = stored.map((_, index) => sql.identifier([`c${index}`]));
  const isLong = sql.fragment`bytes > ${sql.literalValue(String(maxShortTextBytes))}`;
  const readIfShort = names.map((name, index) =>
    index === key || index === place ? name : sql.fragment`case when ${isLong} then null else ${name} end`,
  );
  // The join returns the version even without rows.
  const statement = sql.unsafe`
    with current as materialized (select ${versionOf(query.tables)} as version, ${noVersion}::text as known)
    select version, case when ${isLong} then bytes end, ${list(readIfShort)}
    from current
    left join lateral (
      select * from (
        select ${query.maxTextBytes} as bytes,
          ${list(stored.map((value, index) => sql.fragment`${value} as ${names[index] ?? ''}`))}
        ${filteredAndOrdered(query, limit + 1)}
      ) as found
      where version <> known
      ${asStep}
    ) as page on true
  `;
  return { statement, limit, key: firstColumn + key, place: firstColumn + place };
}

/** Returns the values to select for a row, and which of them are its id and its place in the order. */
function storedOf({ columns, id, order }: ListQuery) {
  const shown = Object.values(columns);
  const stored = shown.map(storedValue);
  const indexOf = (value: FragmentSqlToken, isSame: (column: ListColumn) => boolean): number => {
    const index = shown.findIndex(isSame);
    return index === -1 ? stored.push(value) - 1 : index;
  };
  const key = indexOf(id, (column) => 'sql' in column && column.sql === id.sql);
  const place =
    order.kind === 'time'
      ? indexOf(
          shortTimestamp(order.column, exactTimestamp),
          (column) => 'time' in column && column.time.sql === order.column.sql,
        )
      : indexOf(sql.fragment`(${order.column})::text`, () => false);
  return { stored, key, place };
}

const list = (fragments: Parameters<typeof sql.join>[0]) => sql.join([...fragments], sql.fragment`, `);

/** Returns the value of a column in the form that costs Postgres least, for `partsOf`. */
function storedValue(column: ListColumn): FragmentSqlToken {
  if ('time' in column) return shortTimestamp(column.time, isoTimestamp);
  return 'json' in column ? sql.fragment`(${column.json})::text` : column;
}

/** Makes the JSON texts of the short rows, joined by commas, of their stored values: what `rowAsJson` makes in Postgres. */
function partsOf(rows: readonly Row[], columns: ListColumns, key: number): Part[] {
  const fields = Object.entries(columns).map(([name, column], index) => ({
    start: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    toJson: toJsonOf(column),
    index: firstColumn + index,
  }));
  const parts: Part[] = [];
  for (const row of rows) {
    const bytes = row[bytesIndex] as number | null;
    if (bytes !== null) {
      parts.push({ id: row[key] as LongRow['id'], bytes });
      continue;
    }
    let text = typeof parts.at(-1) === 'string' ? `${parts.pop()},` : '';
    for (const { start, toJson, index } of fields) {
      const value = row[index];
      text += start + (value === null ? 'null' : toJson(value));
    }
    parts.push(`${text}}`);
  }
  return parts;
}

function toJsonOf(column: ListColumn): (value: unknown) => string {
  if ('time' in column) return (value) => `"${completeTimestamp(value as string, 3)}"`;
  return 'json' in column ? String : JSON.stringify;
}

function positionOf({ order }: ListQuery, place: string, id: LongRow['id']): Position {
  const value = order.kind === 'time' ? completeTimestamp(place, 6) : place;
  return order.isDefault ? [value, id] : [value, id, order.sort];
}
