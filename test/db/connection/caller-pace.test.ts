import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAs } from '../../../src/db/connection/caller.ts';
import { createCallerPace } from '../../../src/db/connection/caller-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  pool.paced = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

const pool = { paced: 0 };

/** Opens a pace. Its work ends when the test says so. */
function open() {
  const pace = createCallerPace(4);
  const running: (() => void)[] = [];
  const settle = async () => {
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
  };
  return {
    running,
    /** Brings work of an account. */
    bring(key: string, count: number, signal?: AbortSignal) {
      return Array.from({ length: count }, () =>
        pace({ key, call: 1 }, pool, () => new Promise<void>((end) => running.push(end)), signal),
      );
    },
    /** Ends the work that has run for longest. */
    async end(count: number) {
      for (let ended = 0; ended < count; ended++) {
        running.shift()?.();
        await settle();
      }
    },
    async pass(ms: number) {
      vi.advanceTimersByTime(ms);
      await settle();
    },
  };
}

test('four of an account run at first, and others do not wait for it', () => {
  const { bring, running } = open();
  bring('a', 50);
  expect(running).toHaveLength(4);
  bring('b', 1);
  expect(running).toHaveLength(5);
});

test('one more runs after as many as run at once were short', async () => {
  const { bring, running, end } = open();
  bring('a', 50);
  await end(4);
  expect(running).toHaveLength(5);
  await end(5);
  expect(running).toHaveLength(6);
});

test('no more run while they take long', async () => {
  const { bring, running, end, pass } = open();
  bring('a', 50);
  for (let round = 0; round < 5; round++) {
    await pass(101);
    await end(4);
    expect(running).toHaveLength(4);
  }
});

test('half as many run once several take long, and more again when they are short', async () => {
  const { bring, running, end, pass } = open();
  bring('a', 500);
  for (let atOnce = 4; atOnce < 16; atOnce++) await end(atOnce);
  expect(running).toHaveLength(16);
  await pass(101);
  await end(9);
  expect(running).toHaveLength(8);
  await end(7);
  expect(running).toHaveLength(8);
  await end(8);
  expect(running).toHaveLength(9);
});

test('one that takes long, such as an export, leaves the others their pace', async () => {
  const { bring, running, end, pass } = open();
  bring('a', 1);
  const [endLong = () => {}] = running.splice(0);
  await pass(1_000);
  bring('a', 50);
  expect(running).toHaveLength(3);
  await end(4);
  expect(running).toHaveLength(4);
  endLong();
});

test('one more runs each time that nothing has moved for half a second: they may wait for a lock', async () => {
  const { bring, running, end, pass } = open();
  bring('a', 50);
  await pass(500);
  expect(running).toHaveLength(5);
  await pass(500);
  expect(running).toHaveLength(6);
  await end(1);
  expect(running).toHaveLength(5);
  await pass(499);
  expect(running).toHaveLength(5);
});

test('work inside of work does not wait: the outer one would never end', async () => {
  const pace = createCallerPace(4);
  const account = { key: 'a', call: 1 };
  const done = await runAs(account, () =>
    Promise.all(
      Array.from({ length: 10 }, () => pace(account, pool, () => pace(account, pool, async () => 'inside'))),
    ),
  );
  expect(done).toEqual(Array(10).fill('inside'));
});

test('work leaves the line when its signal aborts', async () => {
  const { bring, running, end } = open();
  bring('a', 4);
  const left = new AbortController();
  const [refused] = bring('a', 1, left.signal);
  expect(pool.paced).toBe(1);
  const reason = new Error('too late');
  left.abort(reason);
  await expect(refused).rejects.toBe(reason);
  expect(pool.paced).toBe(0);
  bring('a', 1);
  await end(1);
  expect(running).toHaveLength(4);
});

test('work that waits for seven seconds is refused, because the service is busy', async () => {
  const pace = createCallerPace(1);
  const gate = Promise.withResolvers<void>();
  const work = (call: number) => pace({ key: 'a', call }, pool, () => gate.promise);
  const results = Promise.allSettled([...Array(30).keys()].map(work));
  await vi.advanceTimersByTimeAsync(7_000);
  expect(pool.paced).toBe(0);
  gate.resolve();
  expect((await results).at(-1)).toMatchObject({ reason: { code: 'busy', retryAfter: 5 } });
});

test('an account starts with four again after a pause', async () => {
  const { bring, running, end } = open();
  bring('a', 9);
  await end(9);
  expect(running).toHaveLength(0);
  bring('a', 9);
  expect(running).toHaveLength(4);
});

test('work of earlier calls comes first', async () => {
  const pace = createCallerPace(1);
  const started: number[] = [];
  const work = (call: number) => pace({ key: 'a', call }, pool, async () => void started.push(call));
  await Promise.all([3, 2, 1, 2].map(work));
  expect(started).toEqual([3, 1, 2, 2]);
});

test('work that would wait while the database hangs fails at once', async () => {
  const pace = createCallerPace(1);
  const hang = new Error('hangs');
  const standstill = () => AbortSignal.abort(hang);
  const gate = Promise.withResolvers<void>();
  const running = pace({ key: 'a', call: 1 }, pool, () => gate.promise);
  const next = pace({ key: 'a', call: 2 }, { paced: 0, standstill }, async () => 'never');
  await expect(next).rejects.toBe(hang);
  gate.resolve();
  await running;
});
