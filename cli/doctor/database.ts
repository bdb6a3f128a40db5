import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import {
  inspectServer,
  isOutOfSpace,
  readServerFacts,
  withServer,
} from '../../src/db/connection/inspect-server.ts';
import { catchUpMs, measureLag, type ReplicaProblem } from '../../src/db/replica/inspect-replica.ts';
import { inspectRole } from '../../src/db/roles/inspect-role.ts';
import { tlsModeOf } from '../../src/shared/urls.ts';
import { hasEmbeddedDatabase, type JoinedDatabase, joinDatabase } from '../access/database.ts';
import { poolerAdvice } from '../access/poolers.ts';
import { networkReasons } from '../access/remote.ts';
import { checkData, dataCheckCount } from './data.ts';
import { type Finding, failed, findingsOf, type Judgement, notChecked, ok, warning } from './finding.ts';
import { judgeRole, judgeServer } from './server-facts.ts';

/** Checks that the databases are reachable, and checks their settings and data. */
export async function checkDatabases(config: Config): Promise<Finding[]> {
  const { databaseReadUrl, databasePoolUrl } = config;
  await using resources = new AsyncDisposableStack();
  const { findings, url: primaryUrl } = await checkJoined(config, resources);
  const ofReplica = (url: string) => checkReplica(url, primaryUrl);
  return [
    ...findings,
    ...(await findingsOfServer('read replica', 'DATABASE_READ_URL', databaseReadUrl, ofReplica)),
    ...(await findingsOfServer('pooler', 'DATABASE_POOL_URL', databasePoolUrl, checkPooler)),
  ];
}

interface Primary {
  readonly findings: readonly Finding[];
  /** Its URL, if it is reachable. */
  readonly url?: string;
}

/** How many checks need a connection to the database: its settings, connections, clock and role, and the data. */
const connectedCheckCount = 4 + dataCheckCount;

const notConnected = (judgement: Judgement, because: string): Primary => ({
  findings: [...findingsOf('database', judgement), notChecked(because, connectedCheckCount)],
});

/** Joins the primary, until the resources are released, and checks it. */
async function checkJoined(config: Config, resources: AsyncDisposableStack): Promise<Primary> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === undefined && !(await hasEmbeddedDatabase(dataDirectory))) {
    const none = warning(`no database yet in ${dataDirectory}`, 'Run `backoffice up` to create one.');
    return notConnected(none, 'there is no database yet');
  }
  const database = await joinDatabase(config).catch((error: Error) => error);
  if (database instanceof Error) {
    const fix = `See the end of ${join(dataDirectory, 'postgres', 'server.log')}.`;
    return notConnected(failed(database.message, fix), 'the embedded Postgres is not running');
  }
  resources.defer(() => database.close());
  return await checkPrimary(database, config);
}

async function checkPrimary(
  { databaseUrl: url, ownerUrl, encryptionKeys }: JoinedDatabase,
  { strictRoles, imapUrl }: Config,
): Promise<Primary> {
  const server = await inspect(url).catch((error: unknown) =>
    describeUnreachable('DATABASE_URL', url, error),
  );
  if (server === undefined) {
    const leads = failed('DATABASE_URL leads to a pooler', poolerAdvice.DATABASE_URL);
    return notConnected(leads, 'that needs the server itself');
  }
  if ('state' in server) return notConnected(server, 'the database is unreachable');
  const { facts, role, isFull } = server;
  const findings = [
    ...judgeServer(facts),
    ...findingsOf('database encryption', checkDatabaseTls(url)),
    ...findingsOf('database disk', isFull ? outOfSpace : undefined),
    ...findingsOf('database role', judgeRole(role)),
    ...(await findingsOfServer('database owner', 'DATABASE_OWNER_URL', ownerUrl, checkOwner)),
    ...(await checkData(url, { encryptionKeys, strictRoles, imapUrl })),
  ];
  return { findings, url };
}

const inspect = async (databaseUrl: string) =>
  await withServer(databaseUrl, async (client) => ({
    facts: await readServerFacts(client),
    role: await inspectRole(client),
    isFull: await isOutOfSpace(client),
  }));

/** The disk of the database is this machine's only if it is embedded. */
const outOfSpace = failed(
  'full: the database accepts no changes',
  'Free space on the disk of the database server. The service then works again by itself.',
);

/** Checks that the owner of the schema may change it. Finds nothing if it may. */
async function checkOwner(url: string): Promise<Judgement | undefined> {
  const owner = await withServer(url, inspectRole);
  if (owner === undefined)
    return failed('DATABASE_OWNER_URL leads to a pooler', poolerAdvice.DATABASE_OWNER_URL);
  if (owner.ownsTables || owner.createsIn.includes('schema public')) return undefined;
  const detail = `${owner.role} does not own the tables, so it cannot apply migrations`;
  return failed(detail, 'Set DATABASE_OWNER_URL to the role that owns them.');
}

const replicaAdvice: Readonly<Record<ReplicaProblem, string>> = {
  'it is not a standby': 'Set DATABASE_READ_URL to a standby of the primary.',
  'it does not follow this primary':
    'Set DATABASE_READ_URL to a standby of the server in DATABASE_URL, with the same database. After a failover, let it ' +
    'follow the latest primary, which can take some minutes to show.',
  'it lags behind the primary': 'See pg_stat_replication of the primary, and the log of the replica.',
};

/**
 * Checks that reads can go to the replica, and measures its lag.
 *
 * @param primaryUrl - the primary, if it is reachable
 */
export async function checkReplica(url: string, primaryUrl?: string): Promise<Judgement> {
  const server = `Postgres ${(await inspectServer(url)).version}`;
  if (primaryUrl === undefined) return ok(server);
  const lag = await measureLag(primaryUrl, url);
  if (typeof lag === 'string') return warning(`${server} is not used: ${lag}`, replicaAdvice[lag]);
  const detail = `${server}, ${Math.round(lag)} ms behind the primary`;
  if (lag <= catchUpMs) return ok(detail);
  return warning(`${detail}: the primary answers instead`, replicaAdvice['it lags behind the primary']);
}

async function checkPooler(url: string): Promise<Judgement> {
  const { version, statementTimeoutMs, lockTimeoutMs } = await inspectServer(url);
  const fixOf = (setting: string) =>
    `Set ${setting} in its \`connect_query\`, as docs/operations.md says, "Behind a pooler".`;
  if (statementTimeoutMs === 0)
    return warning('its connections let a statement run for any time', fixOf('statement_timeout'));
  if (lockTimeoutMs > 0) return ok(`leads to Postgres ${version}`);
  const problem = 'its connections let a statement wait for a lock as long as it may run';
  return warning(problem, fixOf('lock_timeout'));
}

/**
 * Checks that what is sent to a database on another machine is encrypted, and that the machine has to prove its name.
 * Finds nothing if the database is on this machine or, like a container's, has a name that only its own network knows.
 */
export function checkDatabaseTls(databaseUrl: string): Judgement | undefined {
  const { hostname } = new URL(databaseUrl);
  const mode = tlsModeOf(databaseUrl);
  if (mode === 'verified') return ok(`TLS, and the certificate of ${hostname} is checked`);
  if (isNear(decodeURIComponent(hostname))) return undefined;
  if (mode === 'unverified')
    return warning(
      `${hostname} need not prove that it is the right server: sslmode is no-verify`,
      'Use sslmode=verify-full in the URL, and sslrootcert=<file> if the authority is your own.',
    );
  return warning(
    `the connection to ${hostname} is not encrypted`,
    'Add sslmode=verify-full to the URL. If the authority is your own, add sslrootcert=<file> too.',
  );
}

/** Reports whether a host is this machine (also by a Unix socket) or a name of a private network. */
function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return address === '::1' || address.startsWith('127.');
  return !address.includes('.') || address.startsWith('/');
}

const addAuthority = "Add sslrootcert=<file> with the authority's certificate";

/** What to do about each error of Postgres or the system; of one that is not in `networkReasons`, also what it means. */
const problems: Readonly<Record<string, readonly [advice: string, reason?: string]>> = {
  ENOTFOUND: ['Check the host name'],
  EAI_AGAIN: ['Check the host name and the network'],
  ECONNREFUSED: ['Start Postgres, or check the host and port'],
  EHOSTUNREACH: ['Check the host and the network'],
  '28P01': ['Check the user and password', 'wrong user or password'],
  '28000': ['Check the user, and pg_hba.conf of Postgres', 'the user is not allowed to connect'],
  '3D000': ['Create the database, or check its name', 'no such database'],
  '53300': ['Close some connections, or raise max_connections', 'no connections left'],
  SELF_SIGNED_CERT_IN_CHAIN: [addAuthority],
  DEPTH_ZERO_SELF_SIGNED_CERT: [addAuthority],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [addAuthority],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [addAuthority],
  CERT_HAS_EXPIRED: ['Renew the certificate of Postgres'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['Connect by a name that the certificate has'],
};

/** Describes why the server that a variable names is unreachable, without the password. */
export function describeUnreachable(variable: string, databaseUrl: string, error: unknown): Judgement {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [advice = 'Check the URL, and that Postgres is running', meaning] = problems[code] ?? [];
  const reason = meaning ?? networkReasons[code] ?? (message || code);
  const { host, pathname } = new URL(databaseUrl);
  return failed(`cannot connect to ${host}${pathname}: ${reason}`, `${advice} (${variable}).`);
}

/** Checks the server that a variable names, if it names one. */
async function findingsOfServer(
  check: string,
  variable: string,
  url: string | undefined,
  judge: (url: string) => Promise<Judgement | undefined>,
): Promise<Finding[]> {
  if (url === undefined) return [];
  const judged = await judge(url).catch((error) => describeUnreachable(variable, url, error));
  return findingsOf(check, judged);
}
