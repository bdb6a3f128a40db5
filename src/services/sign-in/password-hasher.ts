import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { inSpan } from '../../shared/tracing.ts';
import type { RunLimited } from '../load/classes.ts';
import type { PasswordTask } from './password-worker.ts';
import { defaultCost, isOutdated, maxCost } from './stored-hash.ts';

/** Hashes and verifies passwords on worker threads. */
export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** On two processors, a known caller's hash runs beside two of unknown callers. */
const maxThreads = 3;

/**
 * Creates the hasher. Its threads start with the first password, and end when idle. `runLimited` limits new hashes: sign-ins
 * have limits of their own.
 */
export function createPasswordHasher(runLimited: RunLimited, cost = defaultCost) {
  let threads: Promise<Piscina<PasswordTask, string | boolean>> | undefined;
  const run = (name: string, task: PasswordTask) =>
    inSpan({ name }, async () => {
      threads ??= openThreads();
      return await (await threads).run(task);
    });
  return {
    /** Returns the scheme, its version and cost, the salt and the hash, as one text. */
    hash: async (password: string) =>
      String(await runLimited(() => run('hash password', { password, cost }))),
    /** Reports whether the password matches. Without a hash, it does the same work, and returns false. */
    async verify(password: string, hash = '', leastCost = cost) {
      const bounded = Math.min(Math.max(leastCost, cost), maxCost);
      return (await run('verify password', { password, hash, cost: bounded })) === true;
    },
    /** Reports whether a new hash of the same password would be of a newer scheme or a higher cost. */
    isOutdated: (hash: string) => isOutdated(hash, cost),
    close: async () => await (await threads)?.destroy(),
  };
}

async function openThreads(): Promise<Piscina<PasswordTask, string | boolean>> {
  // Imported on demand: most commands need no password, and the import would slow their start.
  const { Piscina } = await import('piscina');
  return new Piscina({
    // The worker is beside this file, both in the sources and in the build.
    filename: fileURLToPath(new URL(`password-worker${extname(import.meta.url)}`, import.meta.url)),
    name: 'runPasswordTask' satisfies keyof typeof import('./password-worker.ts'),
    minThreads: 0,
    maxThreads,
    idleTimeout: 30_000,
  });
}
