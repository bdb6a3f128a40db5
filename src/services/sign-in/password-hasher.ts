import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { currentCaller, runAs } from '../../db/connection/caller.ts';
import { inSpan } from '../../shared/tracing.ts';
import type { Caller } from '../../shared/waiting/fair-queue.ts';
import type { Load } from '../../shared/waiting/load.ts';
import type { RunLimited } from '../../shared/waiting/semaphore.ts';
import { type FairLimits, shareCalls } from '../call/limit-calls.ts';
import type { PasswordTask, PasswordThread } from './password-worker.ts';
import { defaultCost, isOutdated, maxCost } from './stored-hash.ts';

/** Hashes and verifies passwords on worker threads. */
export interface PasswordHasher {
  /** Returns the scheme, its version and cost, the salt and the hash, as one text. */
  hash(password: string): Promise<string>;
  /**
   * Reports whether the password matches the hash. Without a hash it does the same work and returns false.
   *
   * @param leastCost - how much work a wrong password takes at least, as a cost of bcrypt
   */
  verify(password: string, hash: string | undefined, leastCost?: number): Promise<boolean>;
  /** Reports whether a new hash of the same password would be of a newer scheme or a higher cost. */
  isOutdated(hash: string): boolean;
  /**
   * Runs work that holds a connection while it hashes, one call per thread that is not reserved. Calls beyond that wait
   * before they take a connection, which leaves the pool to other requests.
   */
  readonly limitHashing: RunLimited;
  /** Returns how many threads are busy, and how much work waits for one. */
  load(): Load;
  close(): Promise<void>;
}

/** On a busy processor, the threads for unknown callers get a third of the time of other threads. */
const nicenessForUnknown = 5;

/**
 * Creates the hasher. Its threads start with the first password and end when idle. A caller has at most half of them
 * while others wait. Calls beyond the limits are answered `busy`. Unknown callers wait for all others, and have threads of a
 * lower priority: guesses must not slow everybody else.
 *
 * @param limits - the threads that are reserved for preferred callers come on top of the others
 * @param cost - the cost of bcrypt for new hashes
 */
export function createPasswordHasher(
  { reserved = 0, ...limits }: FairLimits,
  cost = defaultCost,
): PasswordHasher {
  const maxThreads = limits.maxConcurrent + reserved;
  const threads = openThreads(maxThreads, 0);
  const threadsForUnknown = openThreads(limits.maxConcurrent, nicenessForUnknown);
  const runOnThread = shareCalls({ ...limits, maxConcurrent: maxThreads, reserved });

  async function run(task: PasswordTask): Promise<string | boolean> {
    const span = { name: task.hash === undefined ? 'hash password' : 'verify password' };
    const caller = currentCaller();
    const isKnown = caller === undefined || isKnownCaller(caller);
    const { get } = isKnown ? threads : threadsForUnknown;
    const runInTurn = () => runOnThread(async () => await (await get()).run(task));
    return await inSpan(span, () =>
      caller !== undefined && isKnown ? runAs({ ...caller, isPreferred: true }, runInTurn) : runInTurn(),
    );
  }

  // Sign-ins wait only for the hashes that are running, not for those that are queued here.
  const runHash = shareCalls(limits);
  const limitHashing = shareCalls(limits);

  return {
    hash: async (password) => String(await runHash(() => run({ password, cost }))),
    async verify(password, hash = '', leastCost = cost) {
      const bounded = Math.min(Math.max(leastCost, cost), maxCost);
      return (await run({ password, hash, cost: bounded })) === true;
    },
    isOutdated: (hash) => isOutdated(hash, cost),
    limitHashing,
    load() {
      const waiting = [limitHashing, runHash, runOnThread].map((queue) => queue.load().waiting);
      return { ...runOnThread.load(), waiting: waiting.reduce((sum, count) => sum + count) };
    },
    async close() {
      await Promise.all([threads.close(), threadsForUnknown.close()]);
    },
  };
}

/** Reports whether a caller is an account, or is at a place that the account was signed in from. */
function isKnownCaller({ call, isPreferred = false }: Caller): boolean {
  return call !== undefined || isPreferred;
}

type Threads = Piscina<PasswordTask, string | boolean>;

/** Returns the threads, which open on the first use. */
function openThreads(maxThreads: number, niceness: number) {
  // The worker is beside this file, both in the sources and in the build.
  const filename = fileURLToPath(new URL(`password-worker${extname(import.meta.url)}`, import.meta.url));
  let opened: Promise<Threads> | undefined;

  // Imported on demand: most commands need no password, and the import would slow their start.
  async function open(): Promise<Threads> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename,
      name: 'runPasswordTask' satisfies keyof typeof import('./password-worker.ts'),
      minThreads: 0,
      maxThreads,
      idleTimeout: 30_000,
      workerData: { niceness } satisfies PasswordThread,
    });
  }

  return {
    get: () => (opened ??= open()),
    close: async () => await (await opened)?.destroy(),
  };
}
