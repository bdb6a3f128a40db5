/**
 * Returns how many characters must be inserted, deleted or replaced to turn one text into another (Levenshtein distance).
 * A function of our own, because every start of a command loads it.
 */
export function editDistance(from: string, to: string): number {
  // The distances from the first characters of `from` to each beginning of `to`.
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (let index = 0; index < from.length; index++) row = nextRow(row, index + 1, from[index], to);
  return row[to.length] as number;
}

/** Returns the distances with one more letter of the first text. */
function nextRow(above: readonly number[], first: number, letter: string | undefined, to: string): number[] {
  const row = [first];
  for (let column = 0; column < to.length; column++) {
    const replaced = (above[column] as number) + (to[column] === letter ? 0 : 1);
    const inserted = (row[column] as number) + 1;
    const deleted = (above[column + 1] as number) + 1;
    row.push(Math.min(replaced, inserted, deleted));
  }
  return row;
}
