import type { LoadClass } from '../../contract/operation.ts';
import type { Database } from '../../db/connection/database.ts';
import { Limiter, type Limits, type Load } from './limiter.ts';

/** Operations have one of the classes of the contract. Passwords and attempts to sign in have classes of their own. */
export type ClassName = LoadClass | 'hashes' | 'sign_ins' | 'known_sign_ins';

/** The limits of each class. Together they leave some of the pool free for sessions, events and `/readyz`. */
export const classes: Readonly<Record<ClassName, Limits>> = {
  reads: { atOnce: 5, perCaller: 3, maxQueued: 2_000, waitMs: 7_000 },
  changes: { atOnce: 5, perCaller: 3, maxQueued: 2_000, waitMs: 7_000 },
  // Each holds its connection until its reader has taken all rows. Less than the 60 s that proxies usually wait.
  lists: { atOnce: 4, perCaller: 2, maxQueued: 500, waitMs: 50_000, readerMs: 30_000 },
  // A search keeps a processor busy for seconds.
  searches: { atOnce: 3, perCaller: 1, maxQueued: 50, waitMs: 2_000 },
  // Changes of many rows. Those of the same rows wait for each other.
  bulk: { atOnce: 2, perCaller: 1, maxQueued: 100, waitMs: 7_000 },
  // Calls that wait for something outside of the database, such as a password's hash or the answer of another server.
  outside: { atOnce: 2, perCaller: 1, maxQueued: 100, waitMs: 7_000 },
  // What visitors send. However many come, the team's turns stay free.
  contact: { atOnce: 1, perCaller: 1, maxQueued: 50, waitMs: 3_000 },
  // New passwords.
  hashes: { atOnce: 1, perCaller: 1, maxQueued: 100, waitMs: 7_000 },
  // Sign-ins keep a processor busy. Guesses from many networks must not delay the owner, who is at a known place.
  sign_ins: { atOnce: 2, perCaller: 2, maxQueued: 200, waitMs: 7_000 },
  known_sign_ins: { atOnce: 2, perCaller: 1, maxQueued: 200, waitMs: 7_000 },
};

export type Limiters = Readonly<Record<ClassName, Limiter>>;

export type LimitOverrides = Readonly<Partial<Record<ClassName, Partial<Limits>>>>;

/** Returns the limiters of a service. */
export function createLimiters(overrides: LimitOverrides = {}): Limiters {
  const limiters = Object.entries(classes).map(([name, limits]) => [
    name,
    new Limiter({ ...limits, ...overrides[name as ClassName] }),
  ]);
  return Object.fromEntries(limiters) as Limiters;
}

/** Returns how busy each class is. */
export function loadOf(limiters: Limiters): Readonly<Record<ClassName, Load>> {
  const loads = Object.entries(limiters).map(([name, limiter]) => [name, limiter.load()]);
  return Object.fromEntries(loads) as Record<ClassName, Load>;
}

/** Runs work of a call when it is its turn in a class, and gives it the database of the call without other limits. */
export type Limited = <T>(name: LoadClass, work: (db: Database) => Promise<T>) => Promise<T>;

export type RunLimited = <T>(work: () => Promise<T>) => Promise<T>;
