import { maxPoolConnections } from '../../src/db/connection/database.ts';
import type { ServerFacts } from '../../src/db/connection/inspect-server.ts';
import { maxJobConnections } from '../../src/db/job-queue/pool.ts';
import type { RoleFacts } from '../../src/db/roles/inspect-role.ts';
import { counted } from '../terminal/text.ts';
import { type Finding, failed, findingsOf, type Judgement, ok, warning } from './finding.ts';

const minVersion = 15;
/** The newest version that the tests run on. */
const maxVersion = 18;
/** Publishing and listening for events take one more connection each. */
const connectionsOfInstance = maxPoolConnections + maxJobConnections + 2;

/** What each check says of the facts that a server reports about itself. */
const judges: Readonly<Record<string, (facts: ServerFacts) => Judgement | readonly Judgement[]>> = {
  database({ version }) {
    const major = Number.parseInt(version, 10);
    const fix = `Use Postgres ${minVersion} to ${maxVersion}.`;
    if (major < minVersion) return failed(`Postgres ${version} is too old`, fix);
    if (major > maxVersion) return warning(`Postgres ${version} is newer than tested versions`, fix);
    return ok(`Postgres ${version}`);
  },

  'database settings'({ encoding, fsync, fullPageWrites, readOnly, isReplica }) {
    const wrong: Judgement[] = [];
    if (isReplica) {
      const fix = 'Set DATABASE_URL to the primary, and DATABASE_READ_URL to this server.';
      wrong.push(failed('a replica, which accepts no changes', fix));
    } else if (readOnly) {
      const fix = 'Set default_transaction_read_only to off for the server, the database and the role.';
      wrong.push(failed('read-only: default_transaction_read_only is on', fix));
    }
    if (encoding !== 'UTF8') {
      const fix = "Move the data to a database created with encoding 'UTF8' template template0.";
      wrong.push(failed(`encoding ${encoding} cannot store every text`, fix));
    }
    for (const [name, isOn] of Object.entries({ fsync, full_page_writes: fullPageWrites }))
      if (!isOn)
        wrong.push(warning(`${name} is off: a crash of the machine can lose data`, `Set ${name} to on.`));
    return wrong.length > 0 ? wrong : ok('UTF8, writable, crash-safe');
  },

  connections({ maxConnections }) {
    const detail = `${maxConnections} connections; an instance uses up to ${connectionsOfInstance}`;
    const fix = 'Raise max_connections.';
    if (maxConnections < connectionsOfInstance) return failed(detail, fix);
    // During a deployment, the new instance starts before the old one ends.
    return maxConnections < 2 * connectionsOfInstance ? warning(detail, fix) : ok(detail);
  },

  clock: ({ clockAheadMs }) => judgeClock('database', clockAheadMs),
};

/** Judges the facts that a server reports about itself. */
export const judgeServer = (facts: ServerFacts): Finding[] =>
  Object.entries(judges).flatMap(([check, judge]) => findingsOf(check, judge(facts)));

/**
 * Judges the clock of another machine.
 *
 * @param whose - `database` or `server`
 * @param aheadMs - how far it is ahead of this machine's; negative if it is behind
 */
export function judgeClock(whose: string, aheadMs: number): Judgement {
  const seconds = Math.abs(aheadMs) / 1_000;
  const detail = `the ${whose}'s clock is ${seconds.toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  const fix = 'Synchronize the clocks of both machines with NTP.';
  if (seconds > 60) return failed(detail, fix);
  return seconds > 2 ? warning(detail, fix) : ok(`the same as the ${whose}'s`);
}

/** Judges what the role of the service may do. */
export function judgeRole(facts: RoleFacts): Judgement {
  const { role, cannotRead } = facts;
  if (cannotRead.length > 0)
    return failed(
      `${role} has no rights on ${counted(cannotRead.length, 'table')}, such as ${cannotRead[0]}`,
      'Run `backoffice migrate up` with DATABASE_OWNER_URL, which grants them.',
    );
  const excess = excessOf(facts);
  if (excess.length === 0) return ok(`${role} may change neither the schema nor the audit trail`);
  return warning(
    `${role} may do more than the service needs: it ${excess.join('; ')}`,
    'Let the service run as a role with fewer rights, as docs/operations.md says, "Two roles".',
  );
}

/** A superuser may do all the rest too, and an owner may change the audit trail. */
function excessOf(facts: RoleFacts): string[] {
  if (facts.isSuperuser) return ['is a superuser'];
  const { superusers, serverRoles, createsIn, changesAudit, ownsTables } = facts;
  if (superusers.length > 0) return [`may become the superuser ${superusers.join(', ')} (\`set role\`)`];
  const excesses: readonly (readonly [applies: boolean, excess: string])[] = [
    [facts.mayCreateRoles, 'creates roles'],
    [facts.mayCreateDatabases, 'creates databases'],
    [facts.bypassesRowSecurity, 'bypasses row-level security'],
    [facts.replicates, 'copies the whole server by replication'],
    [serverRoles.length > 0, `is a member of ${serverRoles.join(', ')}`],
    [ownsTables, 'owns the tables, and so the audit trail'],
    [createsIn.length > 0, `creates objects (${createsIn.join(', ')})`],
    [changesAudit.length > 0 && !ownsTables, `changes the audit trail: ${changesAudit.join(', ')}`],
  ];
  return excesses.flatMap(([applies, excess]) => (applies ? [excess] : []));
}
