import { describe, expect, test } from 'vitest';
import { toAttempt } from '../../../src/services/webhooks/delivery.ts';

const response = (status: number | null, retryAfter?: string) => ({
  status,
  body: '',
  error: status === null || status >= 300 ? 'It failed.' : null,
  retryAfter,
  durationMs: 12,
});

describe('an attempt', () => {
  test('that succeeds is the last', () => {
    expect(toAttempt(response(202), 3)).toEqual({
      status: 'succeeded',
      nextInSeconds: null,
      response_status: 202,
      response_body: '',
      error: null,
      duration_ms: 12,
    });
  });

  test.each([
    [0, 5],
    [1, 300],
    [2, 1_800],
    [3, 7_200],
    [4, 18_000],
    [5, 36_000],
    [6, 36_000],
  ])('after %i others is followed by a retry after %i seconds, or up to a fifth more', (before, seconds) => {
    expect(toAttempt(response(null), before, () => 0)).toMatchObject({
      status: 'pending',
      nextInSeconds: seconds,
    });
    expect(toAttempt(response(null), before, () => 1)).toMatchObject({ nextInSeconds: seconds * 1.2 });
  });

  test('after seven others is the last', () => {
    expect(toAttempt(response(null), 7)).toMatchObject({ status: 'failed', nextInSeconds: null });
  });

  test('that receives 410 is the last', () => {
    expect(toAttempt(response(410, '5'), 0)).toMatchObject({ status: 'failed', nextInSeconds: null });
  });

  test.each([
    ['a number of seconds', () => '4000', 4_000],
    ['a date', () => new Date(Date.now() + 4_000_000).toUTCString(), 4_000],
    ['less than the delay', () => '1', 300],
    ['a date that has passed', () => 'Thu, 01 Jan 1970 00:00:00 GMT', 300],
    ['nonsense', () => 'soon', 300],
    ['more than a day', () => '90000', 86_400],
  ])('is retried as Retry-After says: %s', (_what, header, seconds) => {
    const { nextInSeconds } = toAttempt(response(503, header()), 1, () => 0);
    expect(Math.abs(Number(nextInSeconds) - seconds)).toBeLessThanOrEqual(1);
  });
});
