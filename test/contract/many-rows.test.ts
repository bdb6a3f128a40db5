import { expect, test } from 'vitest';
import { changeAll, partsOf } from '../../src/contract/client/many-rows.ts';

test('a list is cut into parts of one call each', () => {
  expect(partsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(partsOf([], 2)).toEqual([]);
});

test('calls continue one change as long as it may grow, and then begin another', async () => {
  const rowsPerCall = 10_000;
  let left = 72_000;
  let change_id = 0;
  const continued: (number | undefined)[] = [];
  const answers = changeAll(async (change) => {
    continued.push(change.change_id);
    change_id = change.change_id ?? change_id + 1;
    const changed = Math.min(left, rowsPerCall);
    left -= changed;
    return { changed, remaining: left, change_id };
  });
  const changed: number[] = [];
  for await (const answer of answers) changed.push(answer.changed);
  expect(changed.reduce((sum, count) => sum + count)).toBe(72_000);
  expect(continued).toEqual([undefined, 1, 1, 1, 1, undefined, 2, 2]);
});

test('a call that changes nothing is the last one, whatever it has left', async () => {
  let calls = 0;
  const answers = changeAll(async () => ({ changed: 0, remaining: 5, change_id: ++calls }));
  for await (const { changed } of answers) expect(changed).toBe(0);
  expect(calls).toBe(1);
});
