import type { ListSource, Page } from './source.ts';

/** What was read of a list, from its newest row on. */
export interface Top<Row, Found extends Page<Row> = Page<Row>> {
  readonly rows: readonly Row[];
  /** The pages that they came in. */
  readonly pages: readonly Found[];
  /** Where what follows begins; null where nothing does. */
  readonly nextCursor: string | null;
  /** It reaches the row that was the first: no other is between them. */
  readonly isJoined: boolean;
}

/** So many new rows between two looks are read; where there are more, what was known before is forgotten. */
const mostRows = 2_000;

/**
 * Reads the top of a list anew, as far down as the row that was the first.
 *
 * @param first - undefined where there was none
 * @param limit - how many rows at a time
 */
export async function readTop<Row, Found extends Page<Row>>(
  { load, keyOf, timeOf }: Pick<ListSource<Row, Found>, 'load' | 'keyOf' | 'timeOf'>,
  first: Row | undefined,
  limit: number,
): Promise<Top<Row, Found>> {
  const rows: Row[] = [];
  const pages: Found[] = [];
  /** A row that has come to a higher place meanwhile does not tell where its old one is. */
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
  } while (!isJoined && cursor !== null && rows.length < mostRows);
  return { rows, pages, nextCursor: cursor, isJoined };
}
