import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import {
  inspectServer,
  isOutOfSpace,
  readServerFacts,
  withServer,
} from '../../src/db/connection/inspect-server.ts';
import { inspectRole } from '../../src/db/roles/inspect-role.ts';
import { hasEmbeddedDatabase, type JoinedDatabase, joinDatabase } from '../access/database.ts';
import { poolerAdvice } from '../access/poolers.ts';
import { checkDatabaseTls, describeUnreachable } from './connection.ts';
import { checkData, dataChecks } from './data.ts';
import { type Finding, failed, notChecked, ok, warning } from './finding.ts';
import { checkReplica } from './replica.ts';
import { checkOwner, judgeRole } from './role.ts';
import { judgeServer } from './server-facts.ts';

/** The checks that need a connection to the database. */
const connectedChecks = ['database settings', 'connections', 'clock', 'database role', ...dataChecks];

/** Checks that the database is reachable, and checks its settings and data. */
export async function checkDatabases(config: Config): Promise<Finding[]> {
  return [...(await checkPrimary(config)), ...(await checkPooler(config))];
}

async function checkPrimary(config: Config): Promise<Finding[]> {
  const { databaseReadUrl } = config;
  if (config.databaseUrl === undefined && !(await hasEmbeddedDatabase(config.dataDirectory))) {
    return [
      warning('database', `no database yet in ${config.dataDirectory}`, 'Run `backoffice up` to create one.'),
      ...notConnected('there is no database yet'),
      ...(await checkReplica(databaseReadUrl)),
    ];
  }
  let database: JoinedDatabase;
  try {
    database = await joinDatabase(config);
  } catch (error) {
    const log = join(config.dataDirectory, 'postgres', 'server.log');
    return [
      failed('database', (error as Error).message, `See the end of ${log}.`),
      ...notConnected('the embedded Postgres is not running'),
      ...(await checkReplica(databaseReadUrl)),
    ];
  }
  try {
    return await checkReachable(database, config);
  } finally {
    await database.close();
  }
}

async function checkReachable(
  { databaseUrl, ownerUrl, encryptionKeys }: JoinedDatabase,
  { databaseReadUrl, strictRoles, imapUrl }: Config,
): Promise<Finding[]> {
  let server: Awaited<ReturnType<typeof inspect>>;
  try {
    server = await inspect(databaseUrl);
  } catch (error) {
    return [
      describeUnreachable('database', 'DATABASE_URL', databaseUrl, error),
      ...notConnected('the database is unreachable'),
      ...(await checkReplica(databaseReadUrl)),
    ];
  }
  if (server === undefined) {
    return [
      failed('database', 'DATABASE_URL leads to a pooler', poolerAdvice.DATABASE_URL),
      notChecked('settings and data', 'that needs the server itself'),
      ...(await checkReplica(databaseReadUrl)),
    ];
  }
  return [
    ...judgeServer(server.facts),
    ...checkDatabaseTls(databaseUrl),
    ...(server.isOutOfSpace ? [outOfSpace] : []),
    judgeRole(server.role),
    ...(ownerUrl === undefined ? [] : await checkOwner(ownerUrl)),
    ...(await checkData(databaseUrl, { encryptionKeys, strictRoles, imapUrl })),
    ...(await checkReplica(databaseReadUrl, databaseUrl)),
  ];
}

const inspect = async (databaseUrl: string) =>
  await withServer(databaseUrl, async (client) => ({
    facts: await readServerFacts(client),
    role: await inspectRole(client),
    isOutOfSpace: await isOutOfSpace(client),
  }));

/** The disk of the database is this machine's only if it is embedded. */
const outOfSpace = failed(
  'database disk',
  'full: the database accepts no changes',
  'Free space on the disk of the database server. The service then works again by itself.',
);

async function checkPooler({ databasePoolUrl }: Config): Promise<Finding[]> {
  if (databasePoolUrl === undefined) return [];
  try {
    const { version, statementTimeoutMs, lockTimeoutMs } = await inspectServer(databasePoolUrl);
    const advice = (setting: string) =>
      `Set ${setting} in its \`connect_query\`, as docs/operations.md says, "Behind a pooler".`;
    if (statementTimeoutMs === 0) {
      const problem = 'its connections let a statement run for any time';
      return [warning('pooler', problem, advice('statement_timeout'))];
    }
    if (lockTimeoutMs === 0) {
      const problem = 'its connections let a statement wait for a lock as long as it may run';
      return [warning('pooler', problem, advice('lock_timeout'))];
    }
    return [ok('pooler', `leads to Postgres ${version}`)];
  } catch (error) {
    return [describeUnreachable('pooler', 'DATABASE_POOL_URL', databasePoolUrl, error)];
  }
}

function notConnected(because: string): Finding[] {
  return connectedChecks.map((check) => notChecked(check, because));
}
