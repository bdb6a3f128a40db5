import { describe, expect, test } from 'vitest';
import { parseMoment } from '../../../cli/input/moments.ts';
import { previousMonth } from '../../../cli/input/month.ts';

/** A Sunday. */
const now = Date.parse('2026-03-15T12:00:00.000Z');

describe('a time', () => {
  test.each([
    ['7d', '2026-03-08T12:00:00.000Z'],
    ['36h', '2026-03-14T00:00:00.000Z'],
    ['90m', '2026-03-15T10:30:00.000Z'],
    ['2w', '2026-03-01T12:00:00.000Z'],
    ['1mo', '2026-02-15T12:00:00.000Z'],
    ['7y', '2019-03-15T12:00:00.000Z'],
    ['2 weeks ago', '2026-03-01T12:00:00.000Z'],
    ['2-weeks-ago', '2026-03-01T12:00:00.000Z'],
    ['An hour ago', '2026-03-15T11:00:00.000Z'],
    ['now', '2026-03-15T12:00:00.000Z'],
    ['today', '2026-03-15T00:00:00.000Z'],
    ['yesterday', '2026-03-14T00:00:00.000Z'],
    ['yesterday 14:30', '2026-03-14T14:30:00.000Z'],
    ['last monday at 9:05', '2026-03-09T09:05:00.000Z'],
    ['monday', '2026-03-09T00:00:00.000Z'],
    ['sunday', '2026-03-15T00:00:00.000Z'],
    ['last sunday', '2026-03-08T00:00:00.000Z'],
    ['this week', '2026-03-09T00:00:00.000Z'],
    ['last week', '2026-03-02T00:00:00.000Z'],
    ['this month', '2026-03-01T00:00:00.000Z'],
    ['last month', '2026-02-01T00:00:00.000Z'],
    ['last year', '2025-01-01T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    [' 2026-01-31T09:30 ', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00+01:00', '2026-01-31T08:30:00.000Z'],
  ])('is parsed from %j', (given, time) => {
    expect(parseMoment(given, now)).toBe(time);
  });

  test.each([
    ['1 month ago', '2026-03-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['a year ago', '2024-02-29T00:00:00.000Z', '2023-02-28T00:00:00.000Z'],
  ])('%s ends on the last day of a shorter month', (given, from, time) => {
    expect(parseMoment(given, Date.parse(from))).toBe(time);
  });

  test.each([
    ...['7', '7x', '7 ages ago', '2026-13-01', '2026-1-1', '', 'someday', 'last', 'week', 'yesterday 25:00'],
    ...['999999w', '999999y', '2026-02-31'],
  ])('is not parsed from %j', (given) => {
    expect(parseMoment(given, now)).toBeUndefined();
  });
});

test.each([
  ['2026-03', '2026-02'],
  ['2026-01', '2025-12'],
])('the month before %s is %s', (month, before) => {
  expect(previousMonth(month)).toBe(before);
});
