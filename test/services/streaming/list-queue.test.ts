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
  queueTimeoutMs: 5_000,
  maxSlotMs: 30_000,
};

/** Readers of some turns, each by a name that begins with the actor's: `a1` and `a2` are two of `a`. */
function readersOf(turns: ListQueue) {
  const reading: string[] = [];
  const cut: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    /** Those whose turn it is or was, and those that were cut off. */
    reading,
    cut,
    /** Reads until it is ended; resolves with its name, or with the error that it gets instead. */
    read(name: string, signal = new AbortController().signal): Promise<unknown> {
      const cutOff = () => {
        cut.push(name);
        ends.get(name)?.();
      };
      const actor = { kind: 'admin', id: name.charAt(0) } as const;
      return turns
        .run({ actor, signal, disconnect: cutOff }, async () => {
          reading.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return name;
        })
        .catch((error: unknown) => error);
    },
    end: (name: string) => ends.get(name)?.(),
    /** Lets so much time pass (milliseconds). */
    pass: (time: number) => vi.advanceTimersByTimeAsync(time),
  };
}

const busy = expect.objectContaining({ code: 'busy', retryAfter: 5 });

test('an actor has so many turns at once, and what it waits for holds up nobody else', async () => {
  const { reading, read, end, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void read(name);
  await pass(0);
  expect(reading).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  await pass(0);
  expect(reading).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a reader whose turn does not come in time is told to come back later', async () => {
  const { reading, read, end, pass } = readersOf(new ListQueue(limits));
  const first = read('a1');
  for (const name of ['a2', 'b1']) void read(name);
  const late = [read('a3'), read('b2')];
  await pass(limits.queueTimeoutMs - 1);
  end('a1');
  expect(await first).toBe('a1');
  await pass(1);
  // One waited for its actor's turns and one for those of all: a single turn became free.
  expect(reading).toHaveLength(4);
  expect(await Promise.race(late)).toEqual(busy);
  await pass(10 * limits.queueTimeoutMs);
  expect(reading).toHaveLength(4);
});

test('a reader that is not there any more does not wait either', async () => {
  const { reading, read, end, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'b1']) void read(name);
  const reason = new Error('gone');
  const gone = new AbortController();
  const left = [read('a3', gone.signal), read('c1', gone.signal)];
  gone.abort(reason);
  expect(await Promise.all(left)).toEqual([reason, reason]);
  for (const name of ['a1', 'b1']) end(name);
  await pass(0);
  expect(reading).toEqual(['a1', 'a2', 'b1']);
});

test('turns may take any time where nobody waits, or an actor only for itself', async () => {
  const { cut, read, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2']) void read(name);
  await pass(10 * limits.maxSlotMs);
  expect(await Promise.race([read('a3'), pass(limits.queueTimeoutMs).then(() => 'waiting')])).toEqual(busy);
  expect(cut).toEqual([]);
});

test('who waits has the turn of the one that has had it longest, as soon as it has had it long enough', async () => {
  const { reading, cut, read, end, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'b1', 'a2']) {
    void read(name);
    await pass(1_000);
  }
  end('a1');
  void read('b2');
  await pass(limits.maxSlotMs - 4_000);
  void read('c1');
  await pass(1_999);
  expect(cut).toEqual([]);
  await pass(1);
  expect(cut).toEqual(['b1']);
  expect(reading).toEqual(['a1', 'b1', 'a2', 'b2', 'c1']);
});

test('each who waits cuts off one, and no more', async () => {
  const { reading, cut, read, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'b1']) void read(name);
  await pass(limits.maxSlotMs);
  for (const name of ['c1', 'd1']) void read(name);
  await pass(limits.queueTimeoutMs);
  expect(cut).toEqual(['a1', 'a2']);
  expect(reading).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
});

test('what comes when the line is full is told so at once', async () => {
  const { read, pass } = readersOf(new ListQueue(limits));
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1']) void read(name);
  await pass(0);
  expect(await read('e1')).toEqual(busy);
});
