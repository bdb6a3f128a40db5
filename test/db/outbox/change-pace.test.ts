import { expect, test } from 'vitest';
import { createChangePace } from '../../../src/db/outbox/change-pace.ts';

/** Starts ten changes while publications take long. Each ends when the test says so, or at once after `endAll`. */
function slowedChanges() {
  const pace = createChangePace();
  for (let publication = 0; publication < 30; publication++) pace.notePublication(500);
  const ends: (() => void)[] = [];
  let endsAtOnce = false;
  const change = () =>
    pace.run(
      () =>
        new Promise<void>((resolve) => {
          ends.push(resolve);
          if (endsAtOnce) resolve();
        }),
    );
  const all = Promise.all(Array.from({ length: 10 }, change));
  const endAll = async () => {
    endsAtOnce = true;
    for (const end of ends) end();
    await all;
  };
  return { pace, ends, endAll };
}

test('as many changes run at once as before while their publication keeps up', () => {
  const pace = createChangePace();
  for (let publication = 0; publication < 30; publication++) pace.notePublication(10);
  expect(pace.load()).toEqual({ capacity: 30, running: 0, waiting: 0 });
});

test('fewer changes run at once while their publication falls behind', async () => {
  const { pace, ends, endAll } = slowedChanges();
  expect(ends).toHaveLength(5);
  expect(pace.load()).toEqual({ capacity: 5, running: 5, waiting: 5 });
  await endAll();
  expect(ends).toHaveLength(10);
  expect(pace.load()).toMatchObject({ running: 0, waiting: 0 });
});

test('a change that ends, and a publication that keeps up, let the next one run', async () => {
  const { pace, ends, endAll } = slowedChanges();
  ends[0]?.();
  await expect.poll(() => ends.length, { interval: 5 }).toBeGreaterThanOrEqual(6);
  pace.notePublication(1);
  await expect.poll(() => ends.length, { interval: 5 }).toBeGreaterThanOrEqual(7);
  await endAll();
});

test('a change that has waited for long runs, because those that run may be stuck', async () => {
  const { ends, endAll } = slowedChanges();
  expect(ends).toHaveLength(5);
  await expect.poll(() => ends.length).toBe(10);
  await endAll();
});

test('changes that wait for a slow disk run as before, however late their publication is', async () => {
  const pace = createChangePace();
  await pace.run(() => new Promise((resolve) => setTimeout(resolve, 20)));
  for (let publication = 0; publication < 30; publication++) pace.notePublication(500);
  expect(pace.load().capacity).toBe(30);
});

test('one batch of a kind runs at once after a late publication, and three after one that keeps up', () => {
  const pace = createChangePace();
  expect(pace.maxBatches()).toBe(3);
  pace.notePublication(500);
  expect(pace.maxBatches()).toBe(1);
  pace.notePublication(1);
  expect(pace.maxBatches()).toBe(3);
});
