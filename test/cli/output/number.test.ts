import { expect, test } from 'vitest';
import { counted, grouped, percent } from '../../../cli/output/number.ts';
import { stillRunning } from '../../../cli/output/running.ts';

test.each([
  [0, '0 %'],
  [0.0099, '0 %'],
  [0.57, '57 %'],
  [0.9999, '99 %'],
  [1, '100 %'],
  [1.019, '101 %'],
])('formats the ratio %d as %s, rounded down', (ratio, said) => {
  expect(percent(ratio)).toBe(said);
});

test('counts runs that have not ended', () => {
  const ended = { succeededRuns: 2, failedRuns: 1, cancelledRuns: 1 };
  expect(stillRunning({ ...ended, runs: 5 })).toBe(', 1 running');
  expect(stillRunning({ ...ended, runs: 4 })).toBe('');
});

test('groups the digits of a number and adds the plural', () => {
  expect(grouped(1234567)).toBe('1,234,567');
  expect([counted(1, 'issue'), counted(2, 'issue')]).toEqual(['1 issue', '2 issues']);
});
