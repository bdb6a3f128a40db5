import { expect, test } from 'vitest';
import { percent } from '../../../cli/output/number.ts';
import { stillRunning } from '../../../cli/output/running.ts';

test.each([
  [0, '0 %'],
  [0.0099, '0 %'],
  [0.57, '57 %'],
  [0.9999, '99 %'],
  [1, '100 %'],
  [1.019, '101 %'],
])('says that %d is %s: no more than is reached', (ratio, said) => {
  expect(percent(ratio)).toBe(said);
});

test('tells runs that have not ended from those that have', () => {
  const ended = { succeededRuns: 2, failedRuns: 1, cancelledRuns: 1 };
  expect(stillRunning({ ...ended, runs: 5 })).toBe(', 1 running');
  expect(stillRunning({ ...ended, runs: 4 })).toBe('');
});
