import { expect, test } from 'vitest';
import { editDistance } from '../../src/shared/edit-distance.ts';

test.for([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['open', 'open', 0],
  ['opne', 'open', 2],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['saturday', 'sunday', 3],
] as const)('%j is %j after %i edits', ([from, to, distance]) => {
  expect(editDistance(from, to)).toBe(distance);
  expect(editDistance(to, from)).toBe(distance);
});
