import { busyError } from '../../contract/errors.ts';
import type { Load } from '../../shared/waiting/load.ts';
import type { RunLimited } from '../../shared/waiting/semaphore.ts';
import { type Actor, actorKey } from './actor.ts';
import { limitCalls } from './limit-calls.ts';

export interface SlotLimits {
  /** Calls that run at once, of all actors together and of each of them. */
  readonly maxConcurrent: number;
  readonly maxPerActor: number;
  /** Calls that wait at once, of all actors together and of each of them. */
  readonly maxQueued: number;
  readonly maxQueuedPerActor: number;
  /** How long a call waits for a slot before it gets `busy`. */
  readonly queueTimeoutMs: number;
}

/** A call that needs a slot. */
export interface SlotCaller {
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/**
 * Limits how many calls run at once, so that one actor's calls leave slots for the others. Waiting calls of one actor
 * start in the order of their arrival. An actor whose call has ended goes behind the others that wait.
 */
export class ActorSlots {
  readonly #limits: SlotLimits;
  readonly #runInSlot: RunLimited;
  /** The slots of each actor whose calls run or wait. */
  readonly #actors = new Map<string, { readonly runInSlot: RunLimited; calls: number }>();
  /** Refuses a waiting call, for each of them. */
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #isClosed = false;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    // Only calls that have a slot of their actor wait here, and `#waiting` counts them.
    this.#runInSlot = limitCalls({ ...limits, maxQueued: Number.POSITIVE_INFINITY });
  }

  /**
   * Runs work when a slot is free.
   *
   * @param whileWaiting - called when the caller begins to wait for the other actors; the signal aborts when that ends
   * @throws BackofficeError `busy` if the queue is full or closed, or the wait takes too long
   */
  async run<T>(
    caller: SlotCaller,
    work: () => Promise<T>,
    whileWaiting?: (waited: AbortSignal) => void,
  ): Promise<T> {
    const refused = new AbortController();
    const refuse = () => refused.abort(busyError());
    const timer = setTimeout(refuse, this.#limits.queueTimeoutMs);
    const signal = AbortSignal.any([caller.signal, refused.signal]);
    const endWait = () => {
      clearTimeout(timer);
      this.#waiting.delete(refuse);
    };
    this.#waiting.add(refuse);
    // The actor's own slots come first: a call that waits for its own actor takes no place in the common queue.
    const result = this.#runInSlotOf(caller.actor, signal, () =>
      this.#runInCommonSlot(
        signal,
        async () => {
          endWait();
          this.#running++;
          return await work().finally(() => {
            this.#running--;
          });
        },
        whileWaiting,
      ),
    );
    // A call that has found its slots free has ended its wait already.
    if (this.#waiting.has(refuse) && (this.#isClosed || this.#waiting.size > this.#limits.maxQueued))
      refuse();
    try {
      return await result;
    } finally {
      endWait();
    }
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  load(): Load {
    const { maxConcurrent: capacity } = this.#limits;
    return { capacity, running: this.#running, waiting: this.#waiting.size };
  }

  /** Refuses all calls that wait, now and from now on. Calls that run go on. */
  close(): void {
    this.#isClosed = true;
    for (const refuse of this.#waiting) refuse();
  }

  async #runInSlotOf<T>(actor: SlotCaller['actor'], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { maxPerActor: maxConcurrent, maxQueuedPerActor: maxQueued } = this.#limits;
    const key = actorKey(actor);
    const own = this.#actors.get(key) ?? { runInSlot: limitCalls({ maxConcurrent, maxQueued }), calls: 0 };
    this.#actors.set(key, own);
    own.calls++;
    try {
      return await own.runInSlot(work, signal);
    } finally {
      own.calls--;
      if (own.calls === 0) this.#actors.delete(key);
    }
  }

  async #runInCommonSlot<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    whileWaiting: ((waited: AbortSignal) => void) | undefined,
  ): Promise<T> {
    const waited = new AbortController();
    whileWaiting?.(waited.signal);
    try {
      return await this.#runInSlot(async () => {
        waited.abort();
        return await work();
      }, signal);
    } finally {
      waited.abort();
    }
  }
}
