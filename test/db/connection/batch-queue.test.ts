import { expect, test } from 'vitest';
import { BatchQueue } from '../../../src/db/connection/batch-queue.ts';
import { currentCaller, runAs } from '../../../src/db/connection/caller.ts';

/** A queue whose batches end when the test says so. */
function heldQueue(maxRunning = () => 3) {
  const batches: { readonly items: readonly string[]; readonly end: () => void }[] = [];
  const queue = new BatchQueue<string>(async (take) => {
    const items = take().map(({ item }) => item);
    await new Promise<void>((end) => batches.push({ items, end }));
  }, maxRunning);
  const addAs = (key: string, ...items: string[]) => {
    for (const item of items) runAs({ key }, () => queue.add(item));
  };
  const endFirst = async () => {
    const count = batches.length;
    batches[0]?.end();
    await expect.poll(() => batches.length, { interval: 5 }).toBeGreaterThan(count);
    return batches.at(-1)?.items;
  };
  return { batches, addAs, endFirst };
}

test('an item that finds few batches does not wait', () => {
  const { batches, addAs } = heldQueue();
  addAs('a', '1', '2', '3');
  expect(batches.map(({ items }) => items)).toEqual([['1'], ['2'], ['3']]);
});

test('items that come while others are worked on are worked on together', async () => {
  const { batches, addAs, endFirst } = heldQueue();
  addAs('a', '1', '2', '3', '4', '5', '6');
  expect(batches).toHaveLength(3);
  expect(await endFirst()).toEqual(['4', '5', '6']);
});

test('fewer batches run as soon as fewer may, and more again with the next item', async () => {
  let mayRun = 3;
  const { batches, addAs, endFirst } = heldQueue(() => mayRun);
  addAs('a', '1', '2', '3', '4');
  mayRun = 1;
  addAs('a', '5');
  batches[1]?.end();
  batches[2]?.end();
  await new Promise(setImmediate);
  expect(batches).toHaveLength(3);
  expect(await endFirst()).toEqual(['4', '5']);
  addAs('a', '6');
  mayRun = 3;
  addAs('a', '7');
  expect(batches.at(-1)?.items).toEqual(['6', '7']);
});

test('callers take turns, so that those with many items do not hold up the others', async () => {
  const { addAs, endFirst } = heldQueue();
  const many = Array.from({ length: 100 }, (_, n) => `a${n}`);
  addAs('a', 'first', 'second', 'third', ...many);
  addAs('b', 'b0', 'b1');
  addAs('c', 'c0');
  const batch = await endFirst();
  expect(batch).toHaveLength(32);
  expect(batch?.slice(0, 5)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1']);
});

test('the work is on behalf of nobody, and knows the callers of its items', async () => {
  const seen: unknown[] = [];
  const queue = new BatchQueue<string>(
    async (take) => {
      for (const { item, caller } of take()) seen.push([item, caller?.key, currentCaller()]);
    },
    () => 3,
  );
  runAs({ key: 'a' }, () => queue.add('1'));
  queue.add('2');
  await expect
    .poll(() => seen)
    .toEqual([
      ['1', 'a', undefined],
      ['2', undefined, undefined],
    ]);
});
