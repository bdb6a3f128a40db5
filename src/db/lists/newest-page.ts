import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { Database } from '../connection/database.ts';
import { exactTimestamp } from '../timestamps.ts';
import { type ListColumns, rowAsJson } from './list-query.ts';

/** A page ends after this many bytes of text, even below its limit, because a text may be as long as a request. */
export const pageBytes = 8 * 1024 * 1024;

const pagedRow = z.object({ json: z.string(), at: z.string(), id: z.int(), is_last: z.boolean() });

/** A page of rows. The texts are JSON made by Postgres. */
export interface NewestPage {
  /** Newest first. Fewer than the limit if they are long, but at least one. */
  readonly rows: readonly string[];
  /** The position of the oldest row, if there are older ones. */
  readonly next: Position<number> | null;
}

interface NewestRows {
  /** A query without order, with the columns `id`, `at`, the time of the row, and `bytes`, the size of its texts. */
  readonly from: FragmentSqlToken;
  /** The columns of a row `latest` of that query, and of what is joined. */
  readonly columns: ListColumns;
  readonly joins?: FragmentSqlToken;
  readonly limit: number;
}

/** Returns the condition that a row is older than a position; false without one. */
export const isOlder = (
  time: FragmentSqlToken,
  id: FragmentSqlToken,
  cursor: Position<number> | undefined,
): FragmentSqlToken | false =>
  cursor !== undefined && sql.fragment`(${time}, ${id}) < (${cursor[0]}::timestamptz, ${cursor[1]}::bigint)`;

/** Reads the newest rows of a query. */
export async function selectNewest(
  db: Database,
  { from, columns, joins = sql.fragment``, limit }: NewestRows,
): Promise<NewestPage> {
  const rows = await db.any(sql.type(pagedRow)`
    with latest as materialized (
      select *, row_number() over newest_first as place, count(*) over () as found,
        sum(bytes) over newest_first - bytes as bytes_before
      from (${from} order by at desc, id desc limit ${limit + 1}) as newest
      window newest_first as (order by at desc, id desc rows unbounded preceding)
    )
    select
      ${rowAsJson(columns)} as json,
      ${exactTimestamp(sql.fragment`latest.at`)} as at, latest.id, latest.place = latest.found as is_last
    from latest ${joins}
    where latest.place <= ${limit} and latest.bytes_before < ${pageBytes}
    order by latest.place
  `);
  const oldest = rows.at(-1);
  return {
    rows: rows.map(({ json }) => json),
    next: oldest === undefined || oldest.is_last ? null : [oldest.at, oldest.id],
  };
}
