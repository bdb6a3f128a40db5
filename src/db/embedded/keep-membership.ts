import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { claimIfRunning, joinServer } from './join-server.ts';
import type { Membership } from './membership.ts';
import { stopServer } from './server.ts';

const LONGEST_PAUSE_MS = 5_000;

/**
 * Watches over a membership: when its connection breaks, claims the server again, and brings it up on the
 * same port if it is down, for as long as it takes.
 *
 * @returns `close`, which ends the watch and leaves, stopping the server if nobody else uses it.
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
      log('The embedded Postgres went away: bringing it up again.');
      membership = await rejoin();
    }
  }

  async function rejoin(): Promise<Membership | undefined> {
    for (let pause = 100; !closing.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const found = await joinServer(cluster, closing.signal, first.port);
        log(
          found.port === first.port
            ? 'The embedded Postgres is back.'
            : `The embedded Postgres moved to port ${found.port}: restart this process.`,
        );
        return found;
      } catch (error) {
        if (closing.signal.aborted) return undefined;
        log(error instanceof Error ? error.message : String(error));
      }
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    return undefined;
  }

  const watching = watch();
  return {
    async close() {
      closing.abort();
      await watching;
      // Closed in the middle of a recovery: what it has started by then must not stay behind.
      membership ??= (await claimIfRunning(cluster)) ?? undefined;
      await membership?.leave(() => stopServer(cluster));
    },
  };
}
