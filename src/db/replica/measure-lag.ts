import type { Client } from 'pg';
import { createBackoff } from '../../shared/waiting/backoff.ts';
import { wait } from '../../shared/waiting/wait.ts';
import { plainClient } from '../connection/plain-client.ts';
import { findReplicaProblem, inspectPrimary, type ReplicaProblem } from './inspect-replica.ts';

/** Why a replica cannot be used, or how long it took to replay what the primary had written. */
export type Lag = { readonly problem: ReplicaProblem } | { readonly lagMs: number };

const timeoutMs = 5_000;

/** Measures how far a replica is behind its primary, for at most 5 s, on connections of its own. */
export async function measureLag(primaryUrl: string, replicaUrl: string): Promise<Lag> {
  const primary = clientOf(primaryUrl);
  const replica = clientOf(replicaUrl);
  try {
    await Promise.all([primary.connect(), replica.connect()]);
    const facts = await inspectPrimary(primary);
    const startedAt = performance.now();
    const pause = createBackoff({ firstMs: 1, maxMs: 50 });
    while (true) {
      const problem = await findReplicaProblem(replica, facts);
      const lagMs = performance.now() - startedAt;
      if (problem === undefined) return { lagMs };
      if (problem !== 'it lags behind the primary' || lagMs > timeoutMs) return { problem };
      await wait(pause.next());
    }
  } finally {
    await Promise.all([primary, replica].map((client) => client.end().catch(() => {})));
  }
}

function clientOf(connectionString: string): Client {
  return plainClient({ connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
}
