import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../../shared/waiting/fair-queue.ts';
import { currentCaller } from './caller.ts';

/** A batch has at most so many items, so that it takes milliseconds. */
const maxItems = 32;

/** Runs work that belongs to no call: a batch goes on when the call that started it has ended. */
const outsideOfCalls = AsyncLocalStorage.snapshot();

interface Lane<Item> {
  readonly caller: Caller | undefined;
  readonly items: Item[];
}

/** An item of a batch. */
export interface Batched<Item> {
  readonly item: Item;
  /** On whose behalf it came. */
  readonly caller: Caller | undefined;
}

/**
 * Runs a batch.
 *
 * @param take - takes the items of the batch from the queue. The later it is called, the more may have come.
 */
type RunBatch<Item> = (take: () => readonly Batched<Item>[]) => Promise<void>;

/**
 * Collects items that come while others are worked on, and works on them together. The work is the service's own, so it
 * counts for none of the callers. They take turns: the items of one do not hold up those of another.
 */
export class BatchQueue<Item> {
  readonly #runBatch: RunBatch<Item>;
  readonly #maxRunning: () => number;
  /** The callers with waiting items, by their keys. */
  readonly #lanes = new Map<string, Lane<Item>>();
  #waiting = 0;
  #running = 0;

  /**
   * @param runBatch - never rejects, and takes its items
   * @param maxRunning - returns how many batches may run at once, at least one. An item that finds fewer does not wait.
   */
  constructor(runBatch: RunBatch<Item>, maxRunning: () => number) {
    this.#runBatch = runBatch;
    this.#maxRunning = maxRunning;
  }

  add(item: Item): void {
    const caller = currentCaller();
    const key = caller?.key ?? '';
    const lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, { caller, items: [item] });
    else lane.items.push(item);
    this.#waiting++;
    if (this.#running < this.#maxRunning()) outsideOfCalls(() => void this.#run());
  }

  async #run(): Promise<void> {
    this.#running++;
    while (this.#waiting > 0 && this.#running <= this.#maxRunning()) await this.#runBatch(() => this.#take());
    this.#running--;
  }

  #take(): readonly Batched<Item>[] {
    const taken: Batched<Item>[] = [];
    for (const [key, { caller, items }] of this.#lanes) {
      if (taken.length === maxItems) break;
      taken.push({ item: items.shift() as Item, caller });
      this.#waiting--;
      // A caller with more items goes to the end of the line, where this loop finds it again.
      this.#lanes.delete(key);
      if (items.length > 0) this.#lanes.set(key, { caller, items });
    }
    return taken;
  }
}
