import type { ServerFacts } from '../../src/db/connection/inspect-server.ts';
import { maxPlainPoolConnections } from '../../src/db/connection/plain-pool.ts';
import { maxPoolConnections } from '../../src/db/connection/pool.ts';
import { maxJobConnections } from '../../src/db/job-queue/pool.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const oldestVersion = 15;
/** The newest one that the tests run on. */
const newestVersion = 18;
/** The last one listens for events. */
const connectionsOfInstance = maxPoolConnections + maxPlainPoolConnections + maxJobConnections + 1;
const seconds = 1_000;

/** Judges what a server says of itself. */
export function judgeServer(facts: ServerFacts): Finding[] {
  return [judgeVersion(facts), ...judgeSettings(facts), judgeConnections(facts), judgeClock(facts)];
}

function judgeVersion({ version, versionNumber }: ServerFacts): Finding {
  const major = Math.floor(versionNumber / 10_000);
  const needed = `Use Postgres ${oldestVersion} to ${newestVersion}.`;
  if (major < oldestVersion) return failed('database', `Postgres ${version} is too old`, needed);
  if (major > newestVersion)
    return warning('database', `Postgres ${version} is newer than was tested`, needed);
  return ok('database', `Postgres ${version}`);
}

function judgeSettings({ encoding, fsync, fullPageWrites, readOnly, isReplica }: ServerFacts): Finding[] {
  const check = 'database settings';
  const wrong: Finding[] = [];
  if (isReplica) {
    const mend = 'Set DATABASE_URL to the primary, and DATABASE_READ_URL to this one.';
    wrong.push(failed(check, 'a replica, which takes no changes', mend));
  } else if (readOnly) {
    const mend = 'Set default_transaction_read_only to off for the server, the database and the role.';
    wrong.push(failed(check, 'read-only: default_transaction_read_only is on', mend));
  }
  if (encoding !== 'UTF8') {
    const mend = "Move the data to a database made with encoding 'UTF8' template template0.";
    wrong.push(failed(check, `its encoding is ${encoding}, and not every text fits in`, mend));
  }
  for (const [name, isOn] of Object.entries({ fsync, full_page_writes: fullPageWrites })) {
    if (isOn) continue;
    wrong.push(warning(check, `${name} is off: a crash of its machine can lose data`, `Set ${name} to on.`));
  }
  return wrong.length > 0 ? wrong : [ok(check, 'UTF8, writable, safe in a crash')];
}

function judgeConnections({ maxConnections }: ServerFacts): Finding {
  const detail = `${maxConnections} connections; an instance takes up to ${connectionsOfInstance}`;
  const mend = 'Raise max_connections.';
  if (maxConnections < connectionsOfInstance) return failed('connections', detail, mend);
  // A new instance starts before the old one ends.
  return maxConnections < 2 * connectionsOfInstance
    ? warning('connections', detail, mend)
    : ok('connections', detail);
}

function judgeClock({ clockAheadMs }: ServerFacts): Finding {
  const difference = Math.abs(clockAheadMs);
  const detail = `the database's clock is ${(difference / seconds).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead'}`;
  const mend = 'Keep the clocks of both machines right with NTP.';
  if (difference > 60 * seconds) return failed('clock', detail, mend);
  return difference > 2 * seconds
    ? warning('clock', detail, mend)
    : ok('clock', 'the same as of the database');
}
