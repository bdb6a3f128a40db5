import type { Order } from './source.ts';

/**
 * Rows as they are after the top of the list was read anew: the fresh ones, and of the known ones those behind them.
 *
 * @param isAll - the fresh rows are all that there are, or all that can be shown
 */
export function mergeTop<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  isAll: boolean,
  { keyOf, timeOf }: Order<Row>,
): Row[] {
  const last = fresh.at(-1);
  if (isAll || last === undefined) return [...fresh];
  const keys = new Set(fresh.map(keyOf));
  // Which of the rows of one time are behind is not known, and one that is left out would not come again.
  return [...fresh, ...known.filter((row) => timeOf(row) <= timeOf(last) && !keys.has(keyOf(row)))];
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

/**
 * Whether the fresh rows are the top of the known ones, or all of them: as with most looks at what has not changed.
 *
 * @param changed - the keys of rows that are new or not as they were
 */
export function isTop<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  isAll: boolean,
  changed: readonly unknown[],
  keyOf: Order<Row>['keyOf'],
): boolean {
  return (
    changed.length === 0 &&
    (isAll ? fresh.length === known.length : fresh.length <= known.length) &&
    fresh.every((row, at) => known[at] !== undefined && keyOf(known[at]) === keyOf(row))
  );
}
