import { describe, expect, test } from 'vitest';
import { maxPoolConnections } from '../../../src/db/connection/database.ts';
import { classes } from '../../../src/services/load/classes.ts';
import { Limiter, type Limits } from '../../../src/services/load/limiter.ts';

const limits: Limits = { atOnce: 3, perCaller: 2, maxQueued: 10, waitMs: 60_000 };
const busy = { code: 'busy', retryAfter: 5 };

/** Work of callers that ends when the test says so. */
function workOf(limiter: Limiter) {
  const running: { readonly caller: string; readonly end: () => void }[] = [];
  const run = (caller: string, signal?: AbortSignal) =>
    limiter.run(
      caller,
      () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ caller, end: resolve });
        return promise;
      },
      signal,
    );
  /** Ends the oldest running work of a caller, and waits until the next work has begun. */
  async function end(caller: string): Promise<void> {
    const index = running.findIndex((work) => work.caller === caller);
    running.splice(index, 1)[0]?.end();
    await new Promise(setImmediate);
  }
  return { run, end, running: () => running.map(({ caller }) => caller) };
}

describe('a limiter', () => {
  test('leaves room for other callers, and starts the one with the least running, then the longest waiting', async () => {
    const limiter = new Limiter(limits);
    const { run, end, running } = workOf(limiter);
    for (const caller of ['a', 'a', 'a', 'b', 'c', 'b', 'c']) void run(caller);
    expect(running()).toEqual(['a', 'a', 'b']);
    expect(limiter.load()).toEqual({ capacity: 3, running: 3, waiting: 4 });
    await end('a');
    expect(running()).toEqual(['a', 'b', 'c']);
    await end('b');
    expect(running()).toEqual(['a', 'c', 'b']);
    await end('a');
    expect(running()).toEqual(['c', 'b', 'a']);
    for (const caller of ['c', 'b', 'a', 'c']) await end(caller);
    expect(limiter.load()).toEqual({ capacity: 3, running: 0, waiting: 0 });
  });

  test('refuses work beyond the queue, and work that waits too long', async () => {
    const limiter = new Limiter({ ...limits, atOnce: 1, maxQueued: 1, waitMs: 10 });
    const { run } = workOf(limiter);
    void run('a');
    const late = expect(run('b')).rejects.toMatchObject(busy);
    await expect(run('c')).rejects.toMatchObject(busy);
    await late;
  });

  test('drops work whose signal aborts, and all that waits when it closes', async () => {
    const limiter = new Limiter({ ...limits, atOnce: 1 });
    const { run, running } = workOf(limiter);
    void run('a');
    const caller = new AbortController();
    const left = expect(run('b', caller.signal)).rejects.toThrow('left');
    const waiting = expect(run('c')).rejects.toMatchObject(busy);
    caller.abort(new Error('left'));
    await left;
    limiter.close();
    await waiting;
    expect(running()).toEqual(['a']);
  });

  test('gives the place of failed work to the next', async () => {
    const limiter = new Limiter({ ...limits, atOnce: 1 });
    const failed = expect(limiter.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow();
    expect(await limiter.run('b', async () => 'next')).toBe('next');
    await failed;
  });
});

test('all classes together leave connections free for sessions, events and health checks', () => {
  const { reads, changes, lists, searches, bulk, outside, contact } = classes;
  const holding = [reads, changes, lists, searches, bulk, outside, contact].map(({ atOnce }) => atOnce);
  expect(holding.reduce((sum, atOnce) => sum + atOnce)).toBeLessThanOrEqual(maxPoolConnections - 3);
});
