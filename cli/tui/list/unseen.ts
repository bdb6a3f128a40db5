import type { RowOrder } from './source.ts';

type Keys = ReadonlySet<string | number>;

/** Returns the keys of the rows that are new, or that have moved up, since the known rows were loaded. */
export function keysOfNews<Row>(
  known: readonly Row[],
  fresh: readonly Row[],
  { keyOf, timeOf }: RowOrder<Row>,
): (string | number)[] {
  const before = new Map(known.slice(0, fresh.length * 2).map((row) => [keyOf(row), timeOf(row)]));
  return fresh.filter((row) => before.get(keyOf(row)) !== timeOf(row)).map(keyOf);
}

/** Returns how many of the first rows nobody has seen. */
export function countUnseen<Row>(
  shown: readonly Row[],
  end: number,
  unseen: Keys,
  keyOf: RowOrder<Row>['keyOf'],
): number {
  let count = 0;
  for (let at = 0; at < end && count < unseen.size; at += 1) {
    const row = shown[at];
    if (row !== undefined && unseen.has(keyOf(row))) count += 1;
  }
  return count;
}
