import { expect, test } from 'vitest';
import { KeyedWaiters } from '../../../src/shared/waiting/keyed-waiters.ts';

const longMs = 60_000;

test('wakes the callers of a key one by one, first come, first served', async () => {
  const waiters = new KeyedWaiters(3);
  const woken: string[] = [];
  const all = [
    waiters.wait('a', longMs).then(() => woken.push('a1')),
    waiters.wait('b', longMs).then(() => woken.push('b1')),
    waiters.wait('a', longMs).then(() => woken.push('a2')),
  ];
  expect(waiters.isFull).toBe(true);
  waiters.wake('a');
  await all[0];
  expect(woken).toEqual(['a1']);
  expect(waiters.isFull).toBe(false);
  for (const key of ['a', 'a', 'b', 'c']) waiters.wake(key);
  await Promise.all(all);
  expect(woken).toEqual(['a1', 'a2', 'b1']);
});

test('wakes all callers of a key at once', async () => {
  const waiters = new KeyedWaiters(3);
  const woken: string[] = [];
  const [first, second, other] = ['a', 'a', 'b'].map((key) =>
    waiters.wait(key, longMs).then(() => woken.push(key)),
  );
  waiters.wakeAll('a');
  await Promise.all([first, second]);
  expect(woken).toEqual(['a', 'a']);
  waiters.wakeAll('b');
  await other;
  waiters.wakeAll('c');
  expect(waiters.isFull).toBe(false);
});

test('a caller that nobody wakes resolves after the timeout', async () => {
  const waiters = new KeyedWaiters(1);
  await waiters.wait('a', 1);
  expect(waiters.isFull).toBe(false);
});
