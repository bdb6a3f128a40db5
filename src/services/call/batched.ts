import { AsyncLocalStorage } from 'node:async_hooks';
import { isLocked } from '../../db/connection/errors.ts';

/** A batch has at most so many items, so that it takes milliseconds. */
const maxItems = 32;
/** How many batches run at once: while one waits for the disk, the next is on its way. */
const maxRunning = 3;

/** Runs work that belongs to no call: batches go on when the call that started them has ended. */
const outsideOfCalls = AsyncLocalStorage.snapshot();

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/**
 * Returns a function that runs the items of calls that come at the same time together: those that come while batches run
 * are the next batch. If a batch fails because of one of its items, each runs alone and finds out whether it was the reason.
 *
 * @param run - returns what the calls get, in the order of their items
 * @param isOfOne - reports whether a batch failed because of one of its items. It has changed nothing then: of a batch whose
 * connection broke, nobody knows.
 */
export function batched<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  isOfOne: (error: unknown, items: readonly Item[]) => boolean,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function runAlone({ item, done }: Waiting<Item, Result>): Promise<void> {
    try {
      const [result] = await run([item]);
      done.resolve(result as Result);
    } catch (error) {
      done.reject(error);
    }
  }

  async function runTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    try {
      const results = await run(items);
      for (const [index, { done }] of batch.entries()) done.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && isOfOne(error, items)) {
        await Promise.all(batch.map(runAlone));
        return;
      }
      // Those that came meanwhile would wait for the same lock.
      const failed = isLocked(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { done } of failed) done.reject(error);
    }
  }

  async function runAll(): Promise<void> {
    running++;
    for (let batch = waiting.splice(0, maxItems); batch.length > 0; batch = waiting.splice(0, maxItems)) {
      await runTogether(batch);
    }
    running--;
  }

  return (item) => {
    const done = Promise.withResolvers<Result>();
    waiting.push({ item, done });
    if (running < maxRunning) outsideOfCalls(() => void runAll());
    return done.promise;
  };
}
