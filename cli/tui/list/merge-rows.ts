import type { RowOrder } from './source.ts';

/**
 * Returns the rows of a list after its newest rows were loaded again: the fresh rows, then the known rows behind them.
 *
 * @param isAll - the fresh rows are all rows that there are, or all that can be shown
 */
export function mergeRows<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  isAll: boolean,
  { keyOf, timeOf }: RowOrder<Row>,
): Row[] {
  const last = fresh.at(-1);
  if (isAll || last === undefined) return [...fresh];
  const keys = new Set(fresh.map(keyOf));
  // Rows with the same time have no known order. One that was dropped here would not be loaded again.
  return [...fresh, ...known.filter((row) => timeOf(row) <= timeOf(last) && !keys.has(keyOf(row)))];
}

/** Returns the keys of the rows that are new or have changed. */
export function changedKeys<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  keyOf: RowOrder<Row>['keyOf'],
): (string | number)[] {
  const before = new Map(known.slice(0, fresh.length * 2).map((row) => [keyOf(row), JSON.stringify(row)]));
  return fresh.filter((row) => before.get(keyOf(row)) !== JSON.stringify(row)).map(keyOf);
}

/**
 * Reports whether the fresh rows are the first of the known ones, or all of them, as after most refreshes.
 *
 * @param changed - the keys of the rows that are new or have changed
 */
export function isUnchanged<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  isAll: boolean,
  changed: readonly unknown[],
  keyOf: RowOrder<Row>['keyOf'],
): boolean {
  return (
    changed.length === 0 &&
    (isAll ? fresh.length === known.length : fresh.length <= known.length) &&
    fresh.every((row, index) => known[index] !== undefined && keyOf(known[index]) === keyOf(row))
  );
}
