import type { Load } from '../../shared/waiting/load.ts';
import { wait } from '../../shared/waiting/wait.ts';
import { ActorSlots, type SlotCaller, type SlotLimits } from '../call/actor-slots.ts';

export interface ListLimits extends SlotLimits {
  /** How long a list may wait for its reader, all in all, while others wait for the slot. */
  readonly maxSlotMs: number;
}

/** A call that reads a long list. */
export interface ListReader extends SlotCaller {
  /** Ends the answer where it is, which ends the work. */
  readonly disconnect: () => void;
  /** How long the list has waited for the reader, all in all. */
  readonly waitedMs: () => number;
}

/**
 * Limits how many long lists are sent at once. A long list holds a database connection until its reader has taken all
 * of it, which may be minutes. The limits leave connections for everything else, and slots for other actors. No reader
 * waits for ever: the queue has a timeout, and the slowest reader is disconnected when others are waiting. Only the time
 * counts in which the list waits for its reader: a busy database or process makes no reader slow.
 */
export class ListQueue {
  readonly #maxSlotMs: number;
  readonly #slots: ActorSlots;
  /** The readers that may be disconnected, longest-running first. */
  readonly #running = new Set<ListReader>();

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
      (waited) => void this.#disconnectSlowest(waited),
    );
  }

  /** How many readers wait. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  load(): Load {
    return this.#slots.load();
  }

  /** Refuses the readers that wait, now and from now on: a service that stops has no time for them. */
  close(): void {
    this.#slots.close();
  }

  /** Disconnects one reader, as soon as its list has waited for it for `maxSlotMs`, unless the signal aborts first. */
  async #disconnectSlowest(signal: AbortSignal): Promise<void> {
    // A free slot is taken before this resolves.
    await wait(0, signal);
    while (!signal.aborted) {
      const [first, ...others] = this.#running;
      if (first === undefined) return;
      const reader = others.reduce(
        (slow, other) => (other.waitedMs() > slow.waitedMs() ? other : slow),
        first,
      );
      const remainingMs = this.#maxSlotMs - reader.waitedMs();
      if (remainingMs <= 0) {
        this.#running.delete(reader);
        reader.disconnect();
        return;
      }
      await wait(remainingMs, signal);
    }
  }

  async #runAsReader<T>(reader: ListReader, work: () => Promise<T>): Promise<T> {
    this.#running.add(reader);
    try {
      return await work();
    } finally {
      this.#running.delete(reader);
    }
  }
}
