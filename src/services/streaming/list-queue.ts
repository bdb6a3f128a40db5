import { maxPoolConnections } from '../../db/connection/pool.ts';
import type { RunLimited } from '../../shared/semaphore.ts';
import { wait } from '../../shared/wait.ts';
import { type Actor, actorKey } from '../call/actor.ts';
import { busyError, limitCalls } from '../call/limit-calls.ts';

export interface ListLimits {
  /** Long lists sent at once, to all actors and to each of them. */
  readonly maxConcurrent: number;
  readonly maxPerActor: number;
  /** Readers in the queue, of all actors together and of each of them. */
  readonly maxQueued: number;
  /** How long a reader waits for a slot before it gets `busy`. */
  readonly queueTimeoutMs: number;
  /** How long a reader may hold its slot while others wait. */
  readonly maxSlotMs: number;
}

const defaultLimits: ListLimits = {
  maxConcurrent: maxPoolConnections / 2,
  maxPerActor: 2,
  maxQueued: 50,
  queueTimeoutMs: 5_000,
  maxSlotMs: 30_000,
};

/** A call that reads a long list. */
export interface ListReader {
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Ends the answer where it is, which ends the work. */
  readonly disconnect: () => void;
}

/**
 * Limits how many long lists are sent at once. A long list holds a database connection until its reader has taken all
 * of it, which may be minutes. The limits leave connections for everything else, and slots for other actors. Readers
 * never wait long: the queue has a timeout, and the longest-running reader is disconnected when others are waiting.
 */
export class ListQueue {
  readonly #limits: ListLimits;
  readonly #runInSlot: RunLimited;
  /** The slots of each actor that reads or waits. */
  readonly #actors = new Map<string, { readonly runInSlot: RunLimited; readers: number }>();
  /** The start times (`performance.now`) of the readers that may be disconnected, longest-running first. */
  readonly #running = new Map<ListReader, number>();

  constructor(limits: Partial<ListLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#runInSlot = limitCalls(this.#limits.maxConcurrent, this.#limits.maxQueued);
  }

  /**
   * Runs work that reads a list, when a slot is free.
   *
   * @throws BackofficeError `busy` if the queue is full or the wait takes too long
   */
  async run<T>(reader: ListReader, work: () => Promise<T>): Promise<T> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(busyError()), this.#limits.queueTimeoutMs);
    const signal = AbortSignal.any([reader.signal, timeout.signal]);
    try {
      // The actor's own slots come first: a reader that waits for its own actor takes no place in the common queue.
      return await this.#runInSlotOf(reader.actor, signal, () =>
        this.#runInCommonSlot(signal, async () => {
          clearTimeout(timer);
          return await this.#runAsReader(reader, work);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #runInSlotOf<T>(actor: ListReader['actor'], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { maxPerActor, maxQueued } = this.#limits;
    const key = actorKey(actor);
    const own = this.#actors.get(key) ?? { runInSlot: limitCalls(maxPerActor, maxQueued), readers: 0 };
    this.#actors.set(key, own);
    own.readers++;
    try {
      return await own.runInSlot(work, signal);
    } finally {
      own.readers--;
      if (own.readers === 0) this.#actors.delete(key);
    }
  }

  async #runInCommonSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const waited = new AbortController();
    void this.#disconnectLongestRunning(waited.signal);
    try {
      return await this.#runInSlot(async () => {
        waited.abort();
        return await work();
      }, signal);
    } finally {
      waited.abort();
    }
  }

  /** Disconnects one reader, as soon as it has held its slot for `maxSlotMs`, unless the signal aborts first. */
  async #disconnectLongestRunning(signal: AbortSignal): Promise<void> {
    // A free slot is taken before this resolves.
    await wait(0, signal);
    while (!signal.aborted) {
      const [longest] = this.#running;
      if (longest === undefined) return;
      const [reader, startedAt] = longest;
      const remainingMs = startedAt + this.#limits.maxSlotMs - performance.now();
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
