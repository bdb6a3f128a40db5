import { maxPoolConnections } from '../../src/db/connection/database.ts';
import type { ServerFacts } from '../../src/db/connection/inspect-server.ts';
import { maxJobConnections } from '../../src/db/job-queue/pool.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const minVersion = 15;
/** The newest version that the tests run on. */
const maxVersion = 18;
/** Publishing and listening for events take one more connection each. */
const connectionsOfInstance = maxPoolConnections + maxJobConnections + 2;

/** Judges the facts that a server reports about itself. */
export function judgeServer(facts: ServerFacts): Finding[] {
  return [
    judgeVersion(facts),
    ...judgeSettings(facts),
    judgeConnections(facts),
    judgeClock('database', facts.clockAheadMs),
  ];
}

function judgeVersion({ version }: ServerFacts): Finding {
  const major = Number.parseInt(version, 10);
  const advice = `Use Postgres ${minVersion} to ${maxVersion}.`;
  if (major < minVersion) return failed('database', `Postgres ${version} is too old`, advice);
  if (major > maxVersion)
    return warning('database', `Postgres ${version} is newer than tested versions`, advice);
  return ok('database', `Postgres ${version}`);
}

function judgeSettings({ encoding, fsync, fullPageWrites, readOnly, isReplica }: ServerFacts): Finding[] {
  const check = 'database settings';
  const wrong: Finding[] = [];
  if (isReplica) {
    const advice = 'Set DATABASE_URL to the primary, and DATABASE_READ_URL to this server.';
    wrong.push(failed(check, 'a replica, which accepts no changes', advice));
  } else if (readOnly) {
    const advice = 'Set default_transaction_read_only to off for the server, the database and the role.';
    wrong.push(failed(check, 'read-only: default_transaction_read_only is on', advice));
  }
  if (encoding !== 'UTF8') {
    const advice = "Move the data to a database created with encoding 'UTF8' template template0.";
    wrong.push(failed(check, `encoding ${encoding} cannot store every text`, advice));
  }
  for (const [name, isOn] of Object.entries({ fsync, full_page_writes: fullPageWrites })) {
    if (isOn) continue;
    wrong.push(warning(check, `${name} is off: a crash of the machine can lose data`, `Set ${name} to on.`));
  }
  return wrong.length > 0 ? wrong : [ok(check, 'UTF8, writable, crash-safe')];
}

function judgeConnections({ maxConnections }: ServerFacts): Finding {
  const detail = `${maxConnections} connections; an instance uses up to ${connectionsOfInstance}`;
  const advice = 'Raise max_connections.';
  if (maxConnections < connectionsOfInstance) return failed('connections', detail, advice);
  // During a deployment, the new instance starts before the old one ends.
  return maxConnections < 2 * connectionsOfInstance
    ? warning('connections', detail, advice)
    : ok('connections', detail);
}

const seconds = 1_000;

/**
 * Judges the clock of another machine.
 *
 * @param whose - `database` or `server`
 * @param aheadMs - how far it is ahead of this machine's; negative if it is behind
 */
export function judgeClock(whose: string, aheadMs: number): Finding {
  const difference = Math.abs(aheadMs);
  const detail = `the ${whose}'s clock is ${(difference / seconds).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  const advice = 'Synchronize the clocks of both machines with NTP.';
  if (difference > 60 * seconds) return failed('clock', detail, advice);
  return difference > 2 * seconds
    ? warning('clock', detail, advice)
    : ok('clock', `the same as the ${whose}'s`);
}
