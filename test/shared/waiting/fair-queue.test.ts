import { expect, test } from 'vitest';
import {
  type Caller,
  createFairQueue,
  type FairQueueOptions,
} from '../../../src/shared/waiting/fair-queue.ts';

const onFull = () => new Error('full');

/** Opens a queue whose work starts when a slot is free, and ends when the test says so. */
function open(options: Omit<FairQueueOptions, 'currentCaller'>) {
  let caller: Caller | undefined;
  const run = createFairQueue({ currentCaller: () => caller, onFull, ...options });
  const started: string[] = [];
  const running: { name: string; end: () => void }[] = [];
  return {
    started,
    /** Brings work of a caller, named after it and its number. */
    bring(key: string | undefined, count = 1, { isPreferred = false, signal }: Brought = {}) {
      return Array.from({ length: count }, (_, index) => {
        caller = key === undefined ? undefined : { key, isPreferred };
        const name = `${key ?? 'service'}${index + 1}`;
        return run(async () => {
          started.push(name);
          await new Promise<void>((end) => running.push({ name, end }));
          return name;
        }, signal);
      });
    },
    /** Ends the work with that name, and lets what follows from it happen. */
    async end(name: string) {
      const index = running.findIndex((each) => each.name === name);
      running.splice(index, 1)[0]?.end();
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    },
  };
}

interface Brought {
  readonly isPreferred?: boolean;
  readonly signal?: AbortSignal;
}

test('a caller holds at most half of the slots, and others find the rest free', async () => {
  const queue = open({ capacity: 4 });
  const own = queue.bring('a', 5);
  queue.bring('b');
  expect(queue.started).toEqual(['a1', 'a2', 'b1']);
  await queue.end('a1');
  expect(queue.started).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(await own[0]).toBe('a1');
});

test('callers that wait take turns, and the work of each starts in order', async () => {
  const queue = open({ capacity: 2 });
  queue.bring('x');
  queue.bring('y');
  queue.bring('a', 3);
  queue.bring('b', 2);
  for (const name of ['x1', 'a1', 'y1', 'b1', 'a2']) await queue.end(name);
  expect(queue.started).toEqual(['x1', 'y1', 'a1', 'b1', 'a2', 'b2', 'a3']);
});

test('a caller that is alone fills a queue that allows it, until another one comes', async () => {
  const queue = open({ capacity: 4, maxAlone: 4 });
  queue.bring('a', 6);
  expect(queue.started).toHaveLength(4);
  queue.bring('b', 3);
  await queue.end('a1');
  expect(queue.started.slice(4)).toEqual(['b1']);
  await queue.end('a2');
  await queue.end('a3');
  expect(queue.started.slice(4)).toEqual(['b1', 'b2', 'a5']);
});

test('the reserved slots are for preferred callers, who also come first', async () => {
  const queue = open({ capacity: 3, reserved: 1 });
  for (const key of ['a', 'b', 'c', 'd']) queue.bring(key);
  expect(queue.started).toEqual(['a1', 'b1']);
  queue.bring('owner', 1, { isPreferred: true });
  expect(queue.started).toEqual(['a1', 'b1', 'owner1']);
  queue.bring('other', 1, { isPreferred: true });
  await queue.end('a1');
  expect(queue.started.slice(3)).toEqual(['other1']);
  // Two of three run, and none of the others may take the last slot.
  await queue.end('owner1');
  expect(queue.started.slice(4)).toEqual(['c1']);
});

test('the service itself may use all slots', async () => {
  const queue = open({ capacity: 3 });
  queue.bring(undefined, 5);
  expect(queue.started).toHaveLength(3);
});

test('a full queue refuses ordinary work, and still takes that of preferred callers', async () => {
  const queue = open({ capacity: 2, reserved: 1, maxQueued: 1 });
  queue.bring('a', 2);
  await expect(queue.bring('b')[0]).rejects.toThrow('full');
  queue.bring('c', 1, { isPreferred: true });
  queue.bring('d', 1, { isPreferred: true });
  expect(queue.started).toEqual(['a1', 'c1']);
  await queue.end('c1');
  expect(queue.started).toEqual(['a1', 'c1', 'd1']);
});

test('work whose signal aborts while it waits is never started, and takes no place', async () => {
  const queue = open({ capacity: 1, maxQueued: 1 });
  queue.bring('a');
  const leaving = new AbortController();
  const [left] = queue.bring('b', 1, { signal: leaving.signal });
  const reason = new Error('gone');
  leaving.abort(reason);
  await expect(left).rejects.toBe(reason);
  queue.bring('c');
  await queue.end('a1');
  expect(queue.started).toEqual(['a1', 'c1']);
  await expect(queue.bring('d', 1, { signal: AbortSignal.abort(reason) })[0]).rejects.toBe(reason);
});

test('work that fails frees its slot', async () => {
  const run = createFairQueue({ currentCaller: () => ({ key: 'a' }), capacity: 1 });
  await expect(run(() => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(await run(async () => 'next')).toBe('next');
});

test('a standstill rejects what waits and what comes, and leaves the rest to end', async () => {
  let standstill = new AbortController();
  const queue = open({ capacity: 1, standstill: () => standstill.signal });
  const [running, waiting] = queue.bring('a', 2);
  standstill.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(queue.bring('b')[0]).rejects.toThrow('stopped');
  standstill = new AbortController();
  queue.bring('c');
  await queue.end('a1');
  expect(await running).toBe('a1');
  expect(queue.started).toEqual(['a1', 'c1']);
});
