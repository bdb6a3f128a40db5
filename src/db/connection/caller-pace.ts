import { availableParallelism } from 'node:os';
import { busyError } from '../../contract/errors.ts';
import type { Caller } from '../../shared/waiting/fair-queue.ts';
import { WaitingLine } from '../../shared/waiting/waiting-line.ts';
import { hasTurn, noteDelay, runInTurn } from './caller.ts';

/**
 * How much work of an account runs at once before any of it has proved to be short. A database rarely has fewer processors
 * than the service, and needs little more work than processors to be busy.
 */
const defaultLeast = Math.max(3, availableParallelism());
/** Work that takes longer keeps a processor of the database busy, or waits for something. */
const shortMs = 100;
/** If nothing of an account has started or ended for so long, one more starts: what runs may wait for a lock. */
const stuckMs = 500;
/** How long work waits for its turn before it gets `busy`: less than the deadline of a request. */
const maxWaitMs = 7_000;

/** A pool for whose connections work waits its turn. */
export interface PacedPool {
  /** How much work waits. */
  paced: number;
  /** Returns a signal that ends all waits when it aborts. */
  readonly standstill?: (() => AbortSignal) | undefined;
}

/**
 * Runs work of an account that takes a connection of a pool. Rejects if the signal aborts while it waits, and with `busy` if
 * the wait takes too long.
 */
export type CallerPace = <T>(
  account: Caller,
  pool: PacedPool,
  work: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/**
 * Returns what keeps the statements of one account from taking all processors of the database. All pools share it. Few of
 * them run at once at first, more while they are short, and fewer again if several take long.
 */
export function createCallerPace(leastAtOnce = defaultLeast): CallerPace {
  /** The accounts whose work runs or waits. */
  const lanes = new Map<string, Lane>();

  function openLane(key: string): Lane {
    const lane = new Lane(leastAtOnce, () => lanes.delete(key));
    lanes.set(key, lane);
    return lane;
  }

  return ({ key, call = 0 }, pool, work, signal) =>
    // What waited inside of other work of the account could wait for that work to end.
    hasTurn() ? work() : (lanes.get(key) ?? openLane(key)).run(call, pool, work, signal);
}

interface Running {
  readonly startedAt: number;
}

/** The work of one account. */
class Lane {
  readonly #least: number;
  readonly #onIdle: () => void;
  /** The oldest first. */
  readonly #running = new Set<Running>();
  readonly #line = new WaitingLine<Running>();
  #limit: number;
  /** How much work has been short since the limit was changed. */
  #short = 0;
  #reducedAt = Number.NEGATIVE_INFINITY;
  /** When work started or ended last. */
  #movedAt = Number.POSITIVE_INFINITY;
  #stuck: NodeJS.Timeout | undefined;

  constructor(least: number, onIdle: () => void) {
    this.#least = least;
    this.#limit = least;
    this.#onIdle = onIdle;
  }

  /** Work of earlier calls comes first, so that few calls take long, and not all of them. */
  async run<T>(
    call: number,
    pool: PacedPool,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const now = performance.now();
    const isFree = this.#line.length === 0 && this.#mayStart(now);
    const running = isFree ? this.#start(now) : await this.#waitForTurn(call, pool, signal);
    try {
      return await runInTurn(work);
    } finally {
      this.#end(running);
    }
  }

  #mayStart(now: number): boolean {
    this.#reduceIfLong(now);
    return this.#running.size < this.#limit || now - this.#movedAt >= stuckMs;
  }

  #start(now: number): Running {
    const running = { startedAt: now };
    this.#movedAt = now;
    this.#running.add(running);
    return running;
  }

  async #waitForTurn(call: number, pool: PacedPool, signal: AbortSignal | undefined): Promise<Running> {
    this.#stuck ??= setInterval(() => this.#startNext(performance.now()), stuckMs);
    noteDelay(signal);
    pool.paced++;
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(busyError()), maxWaitMs);
    try {
      return await this.#line.wait(call, signal, pool.standstill?.(), tooLong.signal);
    } finally {
      clearTimeout(timer);
      pool.paced--;
      if (this.#line.length === 0) {
        clearInterval(this.#stuck);
        this.#stuck = undefined;
      }
    }
  }

  #end(running: Running): void {
    const now = performance.now();
    const isFull = this.#running.size >= this.#limit;
    this.#running.delete(running);
    this.#movedAt = now;
    // Only who uses all of a limit needs a higher one. It grows slowly: what has just started may take long.
    if (isFull && now - running.startedAt <= shortMs && ++this.#short >= this.#limit) {
      this.#limit++;
      this.#short = 0;
    }
    this.#startNext(now);
    if (this.#running.size === 0) this.#onIdle();
  }

  #startNext(now: number): void {
    while (this.#line.length > 0 && this.#mayStart(now)) this.#line.admit(this.#start(now));
  }

  /** Halves the limit if several take long. A single one may be an export. */
  #reduceIfLong(now: number): void {
    const [, second] = this.#running;
    if (second === undefined || now - second.startedAt <= shortMs || now - this.#reducedAt <= shortMs) return;
    this.#limit = Math.max(this.#least, this.#limit >> 1);
    this.#short = 0;
    this.#reducedAt = now;
  }
}
