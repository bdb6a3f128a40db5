import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';

/** A page ends after this many bytes of text, even below its limit, because a text may be as long as a request. */
export const pageBytes = 8 * 1024 * 1024;

/** A row of a page, newest rows first: its JSON, its time and id, and whether it is the last of all. */
export const pagedRow = z.object({ json: z.string(), at: z.string(), id: z.int(), is_last: z.boolean() });

/** Selects the newest rows of a page. */
interface NewestRows {
  /** A query without order, with the columns `id` and `bytes`, the size of the texts of the row. */
  readonly rows: FragmentSqlToken;
  /** The column with the time of a row. */
  readonly time: FragmentSqlToken;
  readonly limit: number;
}

/**
 * Returns a query for the newest rows, one more than the limit. It adds `place`, which is 1 for the newest, `found`, the
 * number of rows, and `bytes_before`, the size of the newer ones.
 */
export function newestRows({ rows, time, limit }: NewestRows): FragmentSqlToken {
  return sql.fragment`
    select *, row_number() over newest_first as place, count(*) over () as found,
      sum(bytes) over newest_first - bytes as bytes_before
    from (${rows} order by ${time} desc, id desc limit ${limit + 1}) as newest
    window newest_first as (order by ${time} desc, id desc rows unbounded preceding)
  `;
}

/** Returns the condition that a row of `newestRows` belongs to the page. The first one always does. */
export function isOnPage(limit: number): FragmentSqlToken {
  return sql.fragment`place <= ${limit} and bytes_before < ${pageBytes}`;
}

/** Returns where the next page goes on after the oldest row of a page; null if there are no older rows. */
export function positionAfter(oldest: z.infer<typeof pagedRow> | undefined): Position<number> | null {
  return oldest === undefined || oldest.is_last ? null : [oldest.at, oldest.id];
}
