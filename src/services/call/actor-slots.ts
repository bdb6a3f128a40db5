import type { RunLimited } from '../../shared/semaphore.ts';
import { type Actor, actorKey } from './actor.ts';
import { busyError, limitCalls } from './limit-calls.ts';

export interface SlotLimits {
  /** Calls that run at once, of all actors together and of each of them. */
  readonly maxConcurrent: number;
  readonly maxPerActor: number;
  /** Calls in the queue, of all actors together and of each of them. */
  readonly maxQueued: number;
  /** How long a call waits for a slot before it gets `busy`. */
  readonly queueTimeoutMs: number;
}

/** A call that needs a slot. */
export interface SlotCaller {
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** Limits how many calls run at once, so that one actor's calls leave slots for the others. */
export class ActorSlots {
  readonly #limits: SlotLimits;
  readonly #runInSlot: RunLimited;
  /** The slots of each actor whose calls run or wait. */
  readonly #actors = new Map<string, { readonly runInSlot: RunLimited; calls: number }>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#runInSlot = limitCalls(limits.maxConcurrent, limits.maxQueued);
  }

  /**
   * Runs work when a slot is free.
   *
   * @param whileWaiting - called when the caller begins to wait for the other actors; the signal aborts when that ends
   * @throws BackofficeError `busy` if the queue is full or the wait takes too long
   */
  async run<T>(
    caller: SlotCaller,
    work: () => Promise<T>,
    whileWaiting?: (waited: AbortSignal) => void,
  ): Promise<T> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(busyError()), this.#limits.queueTimeoutMs);
    const signal = AbortSignal.any([caller.signal, timeout.signal]);
    const start = async () => {
      clearTimeout(timer);
      return await work();
    };
    try {
      // The actor's own slots come first: a call that waits for its own actor takes no place in the common queue.
      return await this.#runInSlotOf(caller.actor, signal, () =>
        this.#runInCommonSlot(signal, start, whileWaiting),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #runInSlotOf<T>(actor: SlotCaller['actor'], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { maxPerActor, maxQueued } = this.#limits;
    const key = actorKey(actor);
    const own = this.#actors.get(key) ?? { runInSlot: limitCalls(maxPerActor, maxQueued), calls: 0 };
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
