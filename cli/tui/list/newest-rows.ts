import type { ListSource, Page } from './source.ts';

/** The newest rows of a list, as they were loaded again. */
export interface NewestRows<Row, Found extends Page<Row> = Page<Row>> {
  readonly rows: readonly Row[];
  readonly pages: readonly Found[];
  /** The cursor of the rows that follow, or null if there are none. */
  readonly nextCursor: string | null;
  /** How many rows there are, or null if nobody has counted them. */
  readonly total: number | null;
  /** The rows reach the one that was the first before, so there is no gap between them and the known rows. */
  readonly isJoined: boolean;
}

/** The maximum number of rows that one refresh loads. If more are new, the list forgets the rows that it knew. */
const maxRows = 2_000;

/**
 * Loads the rows from the newest down to the one that was the first before.
 *
 * @param first - undefined if there was none
 * @param limit - rows per page
 */
export async function readNewestRows<Row, Found extends Page<Row>>(
  { load, keyOf, timeOf }: Pick<ListSource<Row, Found>, 'load' | 'keyOf' | 'timeOf'>,
  first: Row | undefined,
  limit: number,
): Promise<NewestRows<Row, Found>> {
  const rows: Row[] = [];
  const pages: Found[] = [];
  /** Compares the time too, because a row that has moved up since does not show where its old place is. */
  const isFirst = (row: Row) =>
    first !== undefined && keyOf(row) === keyOf(first) && timeOf(row) === timeOf(first);
  let cursor: string | null = null;
  let isJoined = false;
  do {
    const page = await load(cursor, limit);
    pages.push(page);
    rows.push(...page.rows);
    cursor = page.nextCursor;
    const last = rows.at(-1);
    isJoined =
      first === undefined || last === undefined || timeOf(last) < timeOf(first) || page.rows.some(isFirst);
  } while (!isJoined && cursor !== null && rows.length < maxRows);
  return { rows, pages, nextCursor: cursor, total: pages[0]?.total ?? null, isJoined };
}
