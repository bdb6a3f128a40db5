import type { SlotLimits } from './call/actor-slots.ts';
import type { FairLimits } from './call/limit-calls.ts';
import type { ListLimits } from './streaming/list-queue.ts';

/** The limits of each class of work that holds a connection of the pool for long. */
export interface Limits {
  /** Whole lists: each holds its connection until its reader has taken all rows. */
  readonly lists: ListLimits;
  /** Searches keep a processor busy for seconds. */
  readonly searches: SlotLimits;
  /** Changes of many rows. Those of the same rows wait for each other. */
  readonly bulkChanges: SlotLimits;
  /** Calls with an `Idempotency-Key` that wait for something outside of the database. */
  readonly slowCalls: FairLimits;
  /** Passwords that are hashed: each has a thread, and some a transaction. The reserved threads have none. */
  readonly hashing: FairLimits;
}

/** The parts of the pool that each class gets. The rest is for short calls, which always find a connection. */
const parts = { lists: 5, searches: 3, bulkChanges: 3, slowCalls: 4, hashing: 2, shortCalls: 7 };
const allParts = Object.values(parts).reduce((sum, part) => sum + part, 0);

/** Returns the limits for a pool of this many connections. With all classes at their limits, some connections are free. */
export function limitsFor(poolSize: number): Limits {
  const share = (part: keyof typeof parts) => Math.max(1, Math.floor((poolSize * parts[part]) / allParts));
  return {
    lists: {
      maxConcurrent: share('lists'),
      maxPerActor: Math.min(2, share('lists')),
      maxQueued: 500,
      maxQueuedPerActor: 100,
      // Less than the 60 s that proxies usually wait for an answer.
      queueTimeoutMs: 50_000,
      maxSlotMs: 30_000,
    },
    // The other waits are short: a call has 10 s for its wait and its statements.
    searches: {
      maxConcurrent: share('searches'),
      maxPerActor: Math.min(2, share('searches')),
      maxQueued: 50,
      maxQueuedPerActor: 50,
      queueTimeoutMs: 2_000,
    },
    bulkChanges: {
      maxConcurrent: share('bulkChanges'),
      maxPerActor: share('bulkChanges'),
      maxQueued: 100,
      maxQueuedPerActor: 100,
      queueTimeoutMs: 7_000,
    },
    slowCalls: { maxConcurrent: share('slowCalls'), maxQueued: 100 },
    // Enough for a burst of 100 sign-ins.
    hashing: {
      maxConcurrent: Math.min(2, share('hashing')),
      maxQueued: 100,
      reserved: 1,
      lends: true,
      queueTimeoutMs: 7_000,
    },
  };
}
