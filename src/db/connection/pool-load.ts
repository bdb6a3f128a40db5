import type { Pool } from 'pg';
import type { DatabasePool } from 'slonik';

/** How many connections a pool may have and has, and how much work waits for one. */
export interface PoolLoad {
  readonly max: number;
  readonly open: number;
  readonly inUse: number;
  readonly waiting: number;
}

/**
 * Returns the load of a pool of plain `pg`.
 *
 * @param queued - how much work waits before it asks the pool
 */
export function plainPoolLoad(
  { options, totalCount, idleCount, waitingCount }: Pool,
  queued: number,
): PoolLoad {
  const { max } = options;
  return { max, open: totalCount, inUse: totalCount - idleCount, waiting: waitingCount + queued };
}

/** Returns the load of a pool of slonik, which is undefined until it is open. */
export function slonikPoolLoad(pool: DatabasePool | undefined, max: number, queued: number): PoolLoad {
  if (pool === undefined) return { max, open: 0, inUse: 0, waiting: queued };
  const { acquiredConnections, idleConnections, pendingConnections, ...state } = pool.state();
  const inUse = acquiredConnections + state.pendingReleaseConnections;
  const open = inUse + idleConnections + pendingConnections;
  return { max, open, inUse, waiting: state.waitingClients + queued };
}
