import type { ListSource } from './list.ts';

/** What was read of a list, from its newest row on. */
export interface Top<Row> {
  readonly rows: readonly Row[];
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
export async function readTop<Row>(
  { load, isBehind }: Pick<ListSource<Row>, 'load' | 'isBehind'>,
  first: Row | undefined,
  limit: number,
): Promise<Top<Row>> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  let isJoined = false;
  do {
    const page = await load(cursor, limit);
    rows.push(...page.rows);
    cursor = page.nextCursor;
    const last = rows.at(-1);
    isJoined = first === undefined || last === undefined || !isBehind(first, last);
  } while (!isJoined && cursor !== null && rows.length < mostRows);
  return { rows, nextCursor: cursor, isJoined };
}
