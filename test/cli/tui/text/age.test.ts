import { describe, expect, test } from 'vitest';
import { age, duration } from '../../../../cli/tui/text/age.ts';

describe('ages and durations', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  test.each([
    ['2026-01-31T11:59:30.000Z', 'now'],
    ['2026-01-31T11:15:00.000Z', '45m'],
    ['2026-01-31T09:00:00.000Z', '3h'],
    ['2026-01-19T12:00:00.000Z', '1w'],
    ['2025-10-01T12:00:00.000Z', '4mo'],
    ['2023-01-31T12:00:00.000Z', '3y'],
  ])('shows the age of %s as %s', (time, shown) => {
    expect(age(time, now)).toBe(shown);
  });

  test.each([
    ['2026-01-31T11:59:59.900Z', '0s'],
    ['2026-01-31T11:59:26.000Z', '34s'],
    ['2026-01-31T11:59:00.000Z', '1m'],
    ['2026-01-31T09:59:59.000Z', '2h'],
  ])('shows the time since %s as %s', (from, shown) => {
    expect(duration(from, '2026-01-31T12:00:00.000Z')).toBe(shown);
  });

  test('show nothing for no time', () => {
    expect(age(null, now)).toBe('');
  });
});
