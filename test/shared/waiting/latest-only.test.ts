import { expect, test } from 'vitest';
import { latestOnly } from '../../../src/shared/waiting/latest-only.ts';

test('drops an answer that arrives after the answer to a later request', () => {
  const start = latestOnly();
  const [first, second, third] = [start(), start(), start()];
  expect(second()).toBe(true);
  expect(first()).toBe(false);
  expect(third()).toBe(true);
});
