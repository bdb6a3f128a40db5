import { expect, test } from 'vitest';
import { describeSlowest } from '../../../bin/launcher/slowest-files.js';

test('lists the twenty slowest files with their seconds, and the sum of these and of all', () => {
  const files = Array.from({ length: 30 }, (_, index) => ({ name: `${index}.test.ts`, seconds: index / 2 }));
  const [first, ...lines] = describeSlowest(files).split('\n');
  expect(first).toBe('The 20 slowest of 30 files took 195 of 218 s:');
  expect(lines).toHaveLength(20);
  expect([lines[0], lines.at(-1)]).toEqual(['   14.5 s  29.test.ts', '    5.0 s  10.test.ts']);
});
