import { wait } from '../../shared/wait.ts';
import { ActorSlots, type SlotCaller, type SlotLimits } from '../call/actor-slots.ts';

export interface ListLimits extends SlotLimits {
  /** How long a reader may hold its slot while others wait. */
  readonly maxSlotMs: number;
}

/** A call that reads a long list. */
export interface ListReader extends SlotCaller {
  /** Ends the answer where it is, which ends the work. */
  readonly disconnect: () => void;
}

/**
 * Limits how many long lists are sent at once. A long list holds a database connection until its reader has taken all
 * of it, which may be minutes. The limits leave connections for everything else, and slots for other actors. No reader
 * waits for ever: the queue has a timeout, and the longest-running reader is disconnected when others are waiting.
 */
export class ListQueue {
  readonly #maxSlotMs: number;
  readonly #slots: ActorSlots;
  /** The start times (`performance.now`) of the readers that may be disconnected, longest-running first. */
  readonly #running = new Map<ListReader, number>();

  constructor({ maxSlotMs, ...slots }: ListLimits) {
    this.#maxSlotMs = maxSlotMs;
    this.#slots = new ActorSlots(slots);
  }

  /**
   * Runs work that reads a list, when a slot is free.
   *
   * @throws BackofficeError `busy` if the queue is full or closed, or the wait takes too long
   */
  async run<T>(reader: ListReader, work: () => Promise<T>): Promise<T> {
    return await this.#slots.run(
      reader,
      () => this.#runAsReader(reader, work),
      (waited) => void this.#disconnectLongestRunning(waited),
    );
  }

  /** How many readers wait. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Refuses the readers that wait, now and from now on: a service that stops has no time for them. */
  close(): void {
    this.#slots.close();
  }

  /** Disconnects one reader, as soon as it has held its slot for `maxSlotMs`, unless the signal aborts first. */
  async #disconnectLongestRunning(signal: AbortSignal): Promise<void> {
    // A free slot is taken before this resolves.
    await wait(0, signal);
    while (!signal.aborted) {
      const [longest] = this.#running;
      if (longest === undefined) return;
      const [reader, startedAt] = longest;
      const remainingMs = startedAt + this.#maxSlotMs - performance.now();
      if (remainingMs <= 0) {
        this.#running.delete(reader);
        reader.disconnect();
        return;
      }
      await wait(remainingMs, signal);
    }
  }

  async #runAsReader<T>(reader: ListReader, work: () => Promise<T>): Promise<T> {
    this.#running.set(reader, performance.now());
    try {
      return await work();
    } finally {
      this.#running.delete(reader);
    }
  }
}
