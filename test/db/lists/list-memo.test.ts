import { sql } from 'slonik';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListMemo, noVersion } from '../../../src/db/lists/list-memo.ts';

beforeEach(() => {
  // No request waits too long for another's read, unless the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A memo with lists whose reads end when the test says so. The version that a read finds is its number. */
function controlledReads() {
  const memo = new ListMemo();
  const reads: PromiseWithResolvers<void>[] = [];
  const find = async (list = 'list') => {
    const { version } = await memo.find(sql.unsafe`select ${noVersion}, ${list}`, async () => {
      const read = Promise.withResolvers<void>();
      const number = reads.push(read);
      await read.promise;
      return { version: String(number), parts: [] };
    });
    return Number(version);
  };
  return { find, reads };
}

test('requests that arrive during a read share the next one, which begins after them', async () => {
  const { find, reads } = controlledReads();
  const first = find();
  const others = [find(), find()];
  await Promise.resolve();
  expect(reads).toHaveLength(1);

  reads[0]?.resolve();
  expect(await first).toBe(1);
  await expect.poll(() => reads.length).toBe(2);
  const late = find();
  reads[1]?.resolve();
  expect(await Promise.all(others)).toEqual([2, 2]);

  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.resolve();
  expect(await late).toBe(3);
  const alone = find();
  expect(reads).toHaveLength(4);
  reads[3]?.resolve();
  expect(await alone).toBe(4);
});

test('other lists are read at once', () => {
  const { find, reads } = controlledReads();
  void find('a');
  void find('b');
  expect(reads).toHaveLength(2);
});

test.for<[string, (read?: PromiseWithResolvers<void>) => void]>([
  ['fails', (read) => read?.reject(new Error('of another'))],
  ['takes too long', () => vi.advanceTimersByTime(100)],
])('a request reads by itself if the shared read %s', async ([, end]) => {
  const { find, reads } = controlledReads();
  const first = find();
  const second = find();
  reads[0]?.reject(new Error('the first fails'));
  await expect(first).rejects.toThrow('the first fails');
  await expect.poll(() => reads.length).toBe(2);
  end(reads[1]);
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.resolve();
  expect(await second).toBe(3);
});
