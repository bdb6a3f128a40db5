import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ListLimits, ListQueue } from '../../../src/services/streaming/list-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const limits: ListLimits = {
  maxConcurrent: 3,
  maxPerActor: 2,
  maxQueued: 4,
  maxQueuedPerActor: 4,
  queueTimeoutMs: 5_000,
  maxSlotMs: 30_000,
};

/** Readers of a queue. The first letter of a reader's name is its actor: `a1` and `a2` are two readers of `a`. */
function readersOf(queue: ListQueue) {
  const started: string[] = [];
  const disconnected: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    disconnected,
    /** Reads until `end` or until disconnected. The list waits for a slow reader all the time, and never for others. Resolves with its name, or with the error that it gets. */
    read(name: string, signal = new AbortController().signal, isSlow = true): Promise<unknown> {
      let startedAt = Number.POSITIVE_INFINITY;
      const waitedMs = () => (isSlow ? Math.max(0, performance.now() - startedAt) : 0);
      const disconnect = () => {
        disconnected.push(name);
        ends.get(name)?.();
      };
      const actor = { kind: 'admin', id: name.charAt(0) } as const;
      return queue
        .run({ actor, signal, disconnect, waitedMs }, async () => {
          startedAt = performance.now();
          started.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return name;
        })
        .catch((error: unknown) => error);
    },
    end: (name: string) => ends.get(name)?.(),
    pass: (timeMs: number) => vi.advanceTimersByTimeAsync(timeMs),
  };
}

const busy = expect.objectContaining({ code: 'busy', retryAfter: 5 });

test('limits the slots of each actor, and its queued readers do not block other actors', async () => {
  const { started, read, end, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void read(name);
  await pass(0);
  expect(started).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  await pass(0);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('rejects with busy when no slot is free in time', async () => {
  const { started, read, end, pass } = readersOf(new ListQueue(limits));
  const first = read('a1');
  for (const name of ['a2', 'b1']) void read(name);
  const late = [read('a3'), read('b2')];
  await pass(limits.queueTimeoutMs - 1);
  end('a1');
  expect(await first).toBe('a1');
  await pass(1);
  // One waited for a slot of its actor, the other for a common slot. Only one slot became free.
  expect(started).toHaveLength(4);
  expect(await Promise.race(late)).toEqual(busy);
  await pass(10 * limits.queueTimeoutMs);
  expect(started).toHaveLength(4);
});

test('removes a reader from the queue when its signal aborts', async () => {
  const { started, read, end, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'b1']) void read(name);
  const reason = new Error('gone');
  const gone = new AbortController();
  const left = [read('a3', gone.signal), read('c1', gone.signal)];
  gone.abort(reason);
  expect(await Promise.all(left)).toEqual([reason, reason]);
  for (const name of ['a1', 'b1']) end(name);
  await pass(0);
  expect(started).toEqual(['a1', 'a2', 'b1']);
});

test('does not limit the time of a slot when nobody waits, or only the same actor', async () => {
  const { disconnected, read, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2']) void read(name);
  await pass(10 * limits.maxSlotMs);
  expect(await Promise.race([read('a3'), pass(limits.queueTimeoutMs).then(() => 'waiting')])).toEqual(busy);
  expect(disconnected).toEqual([]);
});

test('disconnects the longest-running reader for a waiting one, once its time is up', async () => {
  const { started, disconnected, read, end, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'b1', 'a2']) {
    void read(name);
    await pass(1_000);
  }
  end('a1');
  void read('b2');
  await pass(limits.maxSlotMs - 4_000);
  void read('c1');
  await pass(1_999);
  expect(disconnected).toEqual([]);
  await pass(1);
  expect(disconnected).toEqual(['b1']);
  expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'c1']);
});

test('disconnects one reader for each waiting one', async () => {
  const { started, disconnected, read, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'b1']) void read(name);
  await pass(limits.maxSlotMs);
  for (const name of ['c1', 'd1']) void read(name);
  await pass(limits.queueTimeoutMs);
  expect(disconnected).toEqual(['a1', 'a2']);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
});

test('does not disconnect a reader that the list does not wait for, however long it takes', async () => {
  const { disconnected, read, pass } = readersOf(new ListQueue(limits));
  const { signal } = new AbortController();
  void read('a1', signal, false);
  await pass(limits.maxSlotMs);
  for (const name of ['b1', 'b2']) void read(name, signal);
  const waiting = read('c1');
  await pass(limits.queueTimeoutMs);
  expect(await waiting).toEqual(busy);
  expect(disconnected).toEqual([]);
  await pass(limits.maxSlotMs);
  void read('c2');
  await pass(0);
  expect(disconnected).toEqual(['b1']);
});

test('rejects with busy at once when the queue is full', async () => {
  const { read, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1']) void read(name);
  await pass(0);
  expect(await read('e1')).toEqual(busy);
});

test('rejects with busy at once when too many readers of one actor wait', async () => {
  const { started, read, end, pass } = readersOf(new ListQueue({ ...limits, maxQueuedPerActor: 1 }));
  for (const name of ['a1', 'a2', 'a3', 'b1']) void read(name);
  await pass(0);
  expect(await read('a4')).toEqual(busy);
  void read('b2');
  end('a1');
  await pass(0);
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
});

test('gives each actor its turn, however many readers of another one wait', async () => {
  const { started, read, end, pass } = readersOf(
    new ListQueue({ ...limits, maxConcurrent: 1, maxPerActor: 1 }),
  );
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void read(name);
  for (const name of ['a1', 'b1', 'c1', 'a2']) {
    await pass(0);
    end(name);
  }
  await pass(0);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('refuses waiting readers once it is closed, and lets running ones finish', async () => {
  const queue = new ListQueue(limits);
  const { read, end, pass } = readersOf(queue);
  const running = read('a1');
  void read('a2');
  const waiting = read('a3');
  await pass(0);
  queue.close();
  expect(await waiting).toEqual(busy);
  expect(await read('a4')).toEqual(busy);
  end('a1');
  expect(await running).toBe('a1');
});
