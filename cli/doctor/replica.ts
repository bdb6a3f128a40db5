import { inspectServer } from '../../src/db/connection/inspect-server.ts';
import { catchUpMs, measureLag, type ReplicaProblem } from '../../src/db/replica/inspect-replica.ts';
import { describeUnreachable } from './connection.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'read replica';

const advice: Readonly<Record<ReplicaProblem, string>> = {
  'it is not a standby': 'Set DATABASE_READ_URL to a standby of the primary.',
  'it does not follow this primary':
    'Set DATABASE_READ_URL to a standby of the server in DATABASE_URL, with the same database. After a failover, let it ' +
    'follow the latest primary, which can take some minutes to show.',
  'it lags behind the primary': 'See pg_stat_replication of the primary, and the log of the replica.',
};

/**
 * Checks that reads can go to the replica, and measures its lag.
 *
 * @param databaseUrl - the primary, if it is reachable
 */
export async function checkReplica(
  databaseReadUrl: string | undefined,
  databaseUrl?: string,
): Promise<Finding[]> {
  if (databaseReadUrl === undefined) return [];
  try {
    const { version } = await inspectServer(databaseReadUrl);
    const server = `Postgres ${version}`;
    if (databaseUrl === undefined) return [ok(check, server)];
    const lag = await measureLag(databaseUrl, databaseReadUrl);
    if (typeof lag === 'string') return [warning(check, `${server} is not used: ${lag}`, advice[lag])];
    const detail = `${server}, ${Math.round(lag)} ms behind the primary`;
    return lag <= catchUpMs
      ? [ok(check, detail)]
      : [warning(check, `${detail}: the primary answers instead`, advice['it lags behind the primary'])];
  } catch (error) {
    return [describeUnreachable(check, 'DATABASE_READ_URL', databaseReadUrl, error)];
  }
}
