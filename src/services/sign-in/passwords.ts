import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { RunLimited } from '../../shared/semaphore.ts';
import { busyError, limitCalls } from '../call/limit-calls.ts';
import type { PasswordTask } from './password-worker.ts';

/** Hashes and verifies passwords, away from the main thread. */
export interface PasswordHasher {
  /** @returns the scheme, its version and cost, the salt and the hash, as one text */
  hash(password: string): Promise<string>;
  /** Whether the password is that of the hash. Without a hash it is not, after the same work. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
  /**
   * Runs work that holds a connection while it hashes: no more at once than there are threads, so that whoever waits
   * for a hash waits without a connection, and the pool is free for everybody else.
   */
  readonly limit: RunLimited;
  close(): Promise<void>;
}

/** Enough for a burst of a hundred sign-ins; beyond it a caller is told to come back. */
const maximumQueue = 100;
const maximumThreads = 2;

/** Starts the hashing threads; they begin with the first password and end when idle. */
export function createPasswordHasher(): PasswordHasher {
  // The worker is beside this file, in source and as built.
  const filename = fileURLToPath(import.meta.url).replace(/passwords(\.[jt]s)$/, 'password-worker$1');
  let opened: Promise<Piscina<PasswordTask, string | boolean>> | undefined;

  // Loaded only now: most commands have no password, and would start later for it.
  async function open(): Promise<Piscina<PasswordTask, string | boolean>> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename,
      name: 'work' satisfies keyof typeof import('./password-worker.ts'),
      minThreads: 0,
      maxThreads: maximumThreads,
      idleTimeout: 30_000,
      maxQueue: maximumQueue,
    });
  }

  async function run(task: PasswordTask): Promise<string | boolean> {
    opened ??= open();
    const threads = await opened;
    if (threads.queueSize >= maximumQueue) {
      throw busyError();
    }
    return await threads.run(task);
  }

  // Whoever signs in waits behind those hashes alone that are under way, however many somebody has asked for.
  const hashInTurn = limitCalls(maximumThreads, maximumQueue);

  return {
    hash: async (password) => String(await hashInTurn(() => run({ password }))),
    verify: async (password, hash) => (await run({ password, hash: hash ?? '' })) === true,
    limit: limitCalls(maximumThreads, maximumQueue),
    async close() {
      await (await opened)?.destroy();
    },
  };
}
