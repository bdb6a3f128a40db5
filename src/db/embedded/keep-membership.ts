import { createBackoff } from '../../shared/waiting/backoff.ts';
import { wait } from '../../shared/waiting/wait.ts';
import type { Cluster } from './cluster.ts';
import { claimIfRunning, joinServer } from './join-server.ts';
import type { Membership } from './membership.ts';
import { stopServer } from './server.ts';

const minRetryDelayMs = 100;
const maxRetryDelayMs = 5_000;

/**
 * Keeps a membership: when its connection breaks, claims the server again, and restarts it on the same port if it is
 * down. Retries until it succeeds.
 *
 * @returns `close`, which stops that, leaves the server and stops it if no other process is a member
 */
export function keepMembership(
  cluster: Cluster,
  first: Membership,
  log: (line: string) => void,
): { close(): Promise<void> } {
  const closing = new AbortController();
  const closed = new Promise<void>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve());
  });
  let membership: Membership | undefined = first;

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await Promise.race([membership?.lost, closed]);
      if (closing.signal.aborted) return;
      membership = undefined;
      log('The embedded Postgres stopped. Restarting it.');
      membership = await rejoin();
    }
  }

  async function rejoin(): Promise<Membership | undefined> {
    const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs });
    while (!closing.signal.aborted) {
      try {
        const found = await joinServer(cluster, closing.signal, first.port);
        log(
          found.port === first.port
            ? 'The embedded Postgres is back.'
            : `The embedded Postgres moved to port ${found.port}. Restart this process.`,
        );
        return found;
      } catch (error) {
        if (closing.signal.aborted) return undefined;
        log(error instanceof Error ? error.message : String(error));
      }
      await wait(backoff.next(), closing.signal);
    }
    return undefined;
  }

  const watching = watch();
  return {
    async close() {
      closing.abort();
      await watching;
      // If this closes a recovery halfway, the server that it started must not stay behind.
      membership ??= (await claimIfRunning(cluster)) ?? undefined;
      await membership?.leave(() => stopServer(cluster));
    },
  };
}
