import { busyError } from '../../contract/errors.ts';

/** How much work of a class may run and wait. */
export interface Limits {
  readonly atOnce: number;
  /** How much of it may be that of one caller. */
  readonly perCaller: number;
  readonly maxQueued: number;
  /** How long work waits. Less than the deadline of a request, or the service would work for nobody. */
  readonly waitMs: number;
  /** How long work may wait for the reader of its answer, all in all, while other work waits for its turn. */
  readonly readerMs?: number;
}

/** How much work runs at once, how much may, and how much waits. */
export interface Load {
  readonly capacity: number;
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  readonly caller: string;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Limits how much work of a class runs at once, so that one caller's work leaves room for that of the others. When work
 * ends, the caller with the least running is next, and of its waiting work the one that has waited longest.
 */
export class Limiter {
  readonly limits: Limits;
  readonly #running = new Map<string, number>();
  /** The one that has waited longest is the first. */
  readonly #waiting = new Set<Waiting>();
  #total = 0;
  #isClosed = false;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * Runs work when it is its turn.
   *
   * @throws BackofficeError `busy` if too much work waits, or the wait takes too long; the signal's reason if it aborts
   *   before the work has begun
   */
  async run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#mayStart(caller)) this.#count(caller, 1);
    else await this.#waitForTurn(caller, signal);
    try {
      return await work();
    } finally {
      this.#count(caller, -1);
      this.#startNext();
    }
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  load(): Load {
    return { capacity: this.limits.atOnce, running: this.#total, waiting: this.#waiting.size };
  }

  /** Refuses all work that waits, now and from now on. Work that runs goes on. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) refuse(busyError());
  }

  #mayStart(caller: string): boolean {
    const { atOnce, perCaller } = this.limits;
    return this.#total < atOnce && this.#runningOf(caller) < perCaller;
  }

  #runningOf(caller: string): number {
    return this.#running.get(caller) ?? 0;
  }

  #count(caller: string, change: number): void {
    this.#total += change;
    const running = this.#runningOf(caller) + change;
    if (running === 0) this.#running.delete(caller);
    else this.#running.set(caller, running);
  }

  #startNext(): void {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting.caller)) continue;
      if (next === undefined || this.#runningOf(waiting.caller) < this.#runningOf(next.caller))
        next = waiting;
    }
    next?.start();
  }

  #waitForTurn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxQueued, waitMs } = this.limits;
    if (this.#isClosed || this.#waiting.size >= maxQueued) throw busyError();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const waiting: Waiting = {
        caller,
        start: () => {
          leave();
          // At once, so that no other work takes the place.
          this.#count(caller, 1);
          resolve();
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      const giveUp = () => waiting.refuse(signal?.reason);
      const timer = setTimeout(() => waiting.refuse(busyError()), waitMs);
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', giveUp);
    });
  }
}
