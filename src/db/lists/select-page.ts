import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { RowValues, SelectArrays } from '../connection/select-arrays.ts';
import { completeTimestamp, exactTimestamp, shortTimestamp } from '../timestamps.ts';
import { filteredAndOrdered } from './filtered-rows.ts';
import { type LongRow, maxShortTextBytes } from './found-rows.ts';
import { joinRows, type ListColumn, type ListColumns, storedValue } from './list-columns.ts';
import { asStep, type ListMemo, noVersion } from './list-memo.ts';
import type { ListQuery } from './list-query.ts';
import { versionOf } from './table-versions.ts';

export interface Page {
  /** The version of the list's tables in the snapshot that the rows were read from. */
  readonly version: string;
  /** How many rows were found: one more than the limit if more rows follow. */
  readonly length: number;
  /** The JSON texts of the short rows, joined by commas, and between them the long rows. */
  readonly parts: readonly (string | LongRow)[];
  /** The position of the last row, if there is one. */
  readonly last: Position | null;
}

/** The version and the bytes of a long row are before the values of a row. */
const ownColumns = 2;

/**
 * Selects the first rows of a list. Postgres sends their values as they are stored, and this process makes their JSON.
 * This costs Postgres a quarter of making the text, and this process little more than passing it on.
 */
export async function selectPage(
  select: SelectArrays,
  query: ListQuery,
  limit: number,
  memo?: ListMemo,
): Promise<Page> {
  const { statement, key, place } = statementOf(query, limit);
  const keyOf = (row: RowValues) => row[ownColumns + key] as LongRow['id'] | null;
  const read = async (versioned: QuerySqlToken): Promise<Page> => {
    const rows = await select(versioned);
    const found = rows.filter((row) => keyOf(row) !== null);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      version: String(rows[0]?.[0]),
      length: found.length,
      parts: partsOf(page, query.columns, keyOf),
      last:
        last === undefined
          ? null
          : positionOf(query, String(last[ownColumns + place]), keyOf(last) as LongRow['id']),
    };
  };
  return await (memo === undefined ? read(statement) : memo.find(statement, read));
}

interface PageStatement {
  readonly statement: QuerySqlToken;
  readonly limit: number;
  /** Which of the stored values are the id of a row, and its place in the order. */
  readonly key: number;
  readonly place: number;
}

/** The latest statement of each query. Writing one costs this process as much as sending it. */
const statements = new WeakMap<ListQuery, PageStatement>();

function statementOf(query: ListQuery, limit: number): PageStatement {
  const known = statements.get(query);
  if (known?.limit === limit) return known;
  const written = writeStatement(query, limit);
  statements.set(query, written);
  return written;
}

function writeStatement(query: ListQuery, limit: number): PageStatement {
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
  return { statement, limit, key, place };
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

function partsOf(
  rows: readonly RowValues[],
  columns: ListColumns,
  keyOf: (row: RowValues) => LongRow['id'] | null,
): (string | LongRow)[] {
  const parts: (string | LongRow)[] = [];
  let short: RowValues[] = [];
  const joinShort = () => {
    if (short.length > 0) parts.push(joinRows(columns, short, ownColumns));
    short = [];
  };
  for (const row of rows) {
    const bytes = row[1] as number | null;
    if (bytes === null) short.push(row);
    else {
      joinShort();
      parts.push({ id: keyOf(row) as LongRow['id'], bytes });
    }
  }
  joinShort();
  return parts;
}

function positionOf({ order }: ListQuery, place: string, id: LongRow['id']): Position {
  const value = order.kind === 'time' ? completeTimestamp(place, 6) : place;
  return order.isDefault ? [value, id] : [value, id, order.sort];
}
