/** What a list knows of its rows. */
export interface Order<Row> {
  keyOf(row: Row): string | number;
  /** Whether a row stands behind another one. */
  isBehind(row: Row, other: Row): boolean;
}

/**
 * Rows as they are after the top of the list was read anew: the fresh ones, and of the known ones those behind them.
 *
 * @param isAll - the fresh rows are all that there are, or all that can be shown
 */
export function mergeTop<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  isAll: boolean,
  { keyOf, isBehind }: Order<Row>,
): Row[] {
  const last = fresh.at(-1);
  if (isAll || last === undefined) return [...fresh];
  const keys = new Set(fresh.map(keyOf));
  return [...fresh, ...known.filter((row) => isBehind(row, last) && !keys.has(keyOf(row)))];
}

/** The keys of rows that are new or not as they were. */
export function changedKeys<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  keyOf: Order<Row>['keyOf'],
): (string | number)[] {
  const before = new Map(known.slice(0, fresh.length * 2).map((row) => [keyOf(row), JSON.stringify(row)]));
  return fresh.filter((row) => before.get(keyOf(row)) !== JSON.stringify(row)).map(keyOf);
}

/** Whether the fresh rows are the top of the known ones, or all of them: as with most looks at what has not changed. */
export function isTop<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  isAll: boolean,
  keyOf: Order<Row>['keyOf'],
): boolean {
  return (
    (isAll ? fresh.length === known.length : fresh.length <= known.length) &&
    fresh.every((row, at) => known[at] !== undefined && keyOf(known[at]) === keyOf(row)) &&
    changedKeys(known, fresh, keyOf).length === 0
  );
}
