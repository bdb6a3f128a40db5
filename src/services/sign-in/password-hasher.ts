import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { RunLimited } from '../../shared/semaphore.ts';
import { busyError, type CallLimits, limitCalls } from '../call/limit-calls.ts';
import type { PasswordTask } from './password-worker.ts';

/** Hashes and verifies passwords on worker threads. */
export interface PasswordHasher {
  /** Returns the scheme, its version and cost, the salt and the hash, as one text. */
  hash(password: string): Promise<string>;
  /** Reports whether the password matches the hash. Without a hash it does the same work and returns false. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
  /**
   * Runs work that holds a connection while it hashes, one call per thread. Calls beyond that wait before they take a
   * connection, which leaves the pool to other requests.
   */
  readonly limitHashing: RunLimited;
  close(): Promise<void>;
}

/**
 * Creates the hasher. Its threads start with the first password and end when idle. Calls beyond the limits are answered
 * `busy`.
 */
export function createPasswordHasher(limits: CallLimits): PasswordHasher {
  const { maxConcurrent: maxThreads, maxQueued: maxQueue } = limits;
  // The worker is beside this file, both in the sources and in the build.
  const filename = fileURLToPath(new URL(`password-worker${extname(import.meta.url)}`, import.meta.url));
  let opened: Promise<Piscina<PasswordTask, string | boolean>> | undefined;

  // Imported on demand: most commands need no password, and the import would slow their start.
  async function open(): Promise<Piscina<PasswordTask, string | boolean>> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename,
      name: 'runPasswordTask' satisfies keyof typeof import('./password-worker.ts'),
      minThreads: 0,
      maxThreads,
      idleTimeout: 30_000,
      maxQueue,
    });
  }

  async function run(task: PasswordTask): Promise<string | boolean> {
    opened ??= open();
    const threads = await opened;
    if (threads.queueSize >= maxQueue) throw busyError();
    return await threads.run(task);
  }

  // Sign-ins wait only for the hashes that are running, not for those that are queued here.
  const runHash = limitCalls(limits);

  return {
    hash: async (password) => String(await runHash(() => run({ password }))),
    verify: async (password, hash) => (await run({ password, hash: hash ?? '' })) === true,
    limitHashing: limitCalls(limits),
    async close() {
      await (await opened)?.destroy();
    },
  };
}
