import { expect, test } from 'vitest';
import { createBackoff } from '../../../src/shared/waiting/backoff.ts';

test('doubles the delay up to the maximum', () => {
  const backoff = createBackoff({ firstMs: 100, maxMs: 500 });
  expect([backoff.next(), backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([
    100, 200, 400, 500, 500,
  ]);
});

test('starts again with the first delay after a reset', () => {
  const backoff = createBackoff({ firstMs: 100, maxMs: 500 });
  backoff.next();
  backoff.next();
  backoff.reset();
  expect(backoff.next()).toBe(100);
});

test('takes the random part off the delay and never exceeds the maximum', () => {
  const delays = (random: number) => {
    const backoff = createBackoff({ firstMs: 100, maxMs: 150, jitter: 0.5 }, () => random);
    return [backoff.next(), backoff.next()];
  };
  expect(delays(0)).toEqual([100, 150]);
  expect(delays(0.5)).toEqual([75, 112.5]);
  expect(delays(1)).toEqual([50, 75]);
});

test('keeps the maximum after any number of retries', () => {
  const backoff = createBackoff({ firstMs: 1, maxMs: 1_000 });
  for (let retry = 0; retry < 2_000; retry += 1) backoff.next();
  expect(backoff.next()).toBe(1_000);
});

test('grows from a changed first delay without forgetting the retries so far', () => {
  const backoff = createBackoff({ firstMs: 100, maxMs: 5_000 });
  backoff.next();
  backoff.setFirstMs(1_000);
  expect([backoff.next(), backoff.next()]).toEqual([2_000, 4_000]);
});
