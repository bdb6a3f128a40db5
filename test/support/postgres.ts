import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError, type QueryResultRow } from 'pg';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { openDatabase, type Pool } from '../../src/db/connection/database.ts';
import type { Backoffice } from './here.ts';
import { publishingClient, withClient, withDatabase, withLogin } from './postgres/server.ts';

/** A database for one test file. */
export type TestDatabase = Awaited<ReturnType<typeof create>>;

const dropTimeoutMs = 10_000;

/** Creates a database with all migrations applied, as a copy of the run's template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(`TEMPLATE "${inject('templateDatabase')}"`);
}

/** Creates an empty database, for tests of the migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('TEMPLATE template0');
}

let admin: Promise<Client> | undefined;

/** Returns the connection of this process that creates and drops databases: a connection costs as much as a database. */
function adminClient(): Promise<Client> {
  admin ??= (async () => {
    const client = new Client({ connectionString: inject('adminUrl') });
    client.on('error', () => {
      admin = undefined;
    });
    await client.connect();
    return client;
  })();
  return admin;
}

async function create(options: string) {
  const client = await adminClient();
  const name = `test_${crypto.randomUUID()}`;
  const owner = inject('roles').owner.name;
  // Copying files takes a fifth of the time of Postgres' default, which writes every page to the log too.
  await client.query(`CREATE DATABASE "${name}" OWNER "${owner}" ${options} STRATEGY FILE_COPY`);
  await client.query(`REVOKE TEMPORARY ON DATABASE "${name}" FROM PUBLIC`);
  return {
    /** The URL of the superuser. `asRuntime` returns that of the role that serves. */
    url: withDatabase(inject('adminUrl'), name),
    /** Drops the database and ends its remaining sessions. */
    drop: async () => await drop(await adminClient(), name),
  };
}

/** Drops a database, and fails if a connection to it is still open when all that used it has been closed. */
async function drop(client: Client, name: string): Promise<void> {
  // A pool's end() returns before its connections are closed.
  const deadline = Date.now() + dropTimeoutMs;
  let left = await openConnections(client, name);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(20);
    left = await openConnections(client, name);
  }
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  if (left.length === 0) return;
  const { testPath = 'The run' } = expect.getState();
  throw new Error(`${testPath} left database connections open:\n${left.join('\n')}`);
}

/** Returns a line for each connection to a database, with what it runs or ran last. */
async function openConnections(client: Client, name: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `select concat_ws(' ', nullif(application_name, ''), backend_type, state || ':', query) as line
     from pg_stat_activity where datname = $1`,
    [name],
  );
  return rows.map(({ line }) => line);
}

/** Returns a superuser's URL of a test database as that of the runtime role. Other URLs stay as they are. */
export function asRuntime(url: string): string {
  return isSuperuser(url) ? withLogin(url, inject('roles').runtime) : url;
}

/** Returns it as that of the role that owns the schema. */
export function asOwner(url: string): string {
  return isSuperuser(url) ? withLogin(url, inject('roles').owner) : url;
}

/**
 * Returns the environment of a command that was meant to run as the superuser: it runs as the runtime role, and migrates as
 * the owner. An environment with DATABASE_OWNER_URL, which may be empty, stays as it is.
 */
export function withRoles(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { DATABASE_URL: url } = env;
  if (url === undefined || env.DATABASE_OWNER_URL !== undefined || !isSuperuser(url)) return { ...env };
  return { ...env, DATABASE_URL: asRuntime(url), DATABASE_OWNER_URL: asOwner(url) };
}

function isSuperuser(url: string): boolean {
  const { username, password } = new URL(inject('adminUrl'));
  const given = URL.parse(url);
  return given !== null && given.username === username && given.password === password;
}

/** Longer than a statement of a test takes on a busy machine. */
const longTimeouts = { connectionMs: 30_000, statementMs: 60_000, lockMs: 60_000 };

/** A database for one test file, without a service. */
export type OwnDatabase = ReturnType<typeof databaseHere>;

/**
 * Creates a database before the tests of the calling file and drops it after them.
 *
 * @param maxConnections - how many connections the pool has at most
 */
export function databaseHere(maxConnections?: number) {
  let database: TestDatabase;
  let pool: Pool;
  let client: Client;
  const clients: Client[] = [];

  async function connect(): Promise<Client> {
    const opened = publishingClient(database.url);
    clients.push(opened);
    await opened.connect();
    return opened;
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openDatabase({ databaseUrl: database.url, maxConnections, timeouts: longTimeouts });
    client = await connect();
  });

  afterAll(async () => {
    for (const opened of clients) await opened.end();
    await pool?.close();
    await database?.drop();
  });

  return {
    get url() {
      return database.url;
    },
    /** A pool like that of the service. */
    get pool() {
      return pool;
    },
    /** A plain connection. */
    get client() {
      return client;
    },
    /** Runs a statement on it. Returns the rows. */
    sql: async <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
      (await client.query<Row>(text, values)).rows,
    /** Opens one more plain connection, which is closed after the tests. */
    connect,
  };
}

/**
 * Waits until the given number of statements in the test file's database wait for a lock. The publishers of two processes
 * wait for each other, which does not count.
 */
export async function untilBlocked({ sql }: Pick<Backoffice, 'sql'>, statements = 1): Promise<void> {
  // One view: a lock that is granted between reading two of them would count as one that is waited for.
  const waiting = async () => {
    // Within a transaction, the view of sessions would show what it showed first.
    await sql('select pg_stat_clear_snapshot()');
    return await sql(
      `select distinct pid from pg_locks
       where not granted and pid in (select pid from pg_stat_activity where datname = current_database())
         and (classid, objid) is distinct from (hashtext('backoffice')::oid, hashtext('events')::oid)`,
    );
  };
  await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(statements);
}

/** Waits until a statement waits for the transaction of a connection. */
export async function untilWaitedFor(client: Client, sessions = 1): Promise<void> {
  const waiting = () =>
    client.query('select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))');
  await expect
    .poll(async () => (await waiting()).rowCount, { interval: 10 })
    .toBeGreaterThanOrEqual(sessions);
}

/**
 * Runs work while a transaction has run a statement, then commits that. The work gets the connection of the transaction, and
 * may commit sooner.
 */
export async function duringTransaction<T>(
  { service }: Pick<Backoffice, 'service'>,
  [statement, values]: readonly [statement: string, values?: unknown[]],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return await withClient(service.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(statement, values);
    const result = await work(client);
    await client.query('commit');
    return result;
  });
}

/** Sends a request that waits for a transaction which has run a statement, commits that, and returns the answer. */
export async function answerAfter<T>(
  backoffice: Pick<Backoffice, 'service'>,
  statement: readonly [statement: string, values?: unknown[]],
  send: () => Promise<T>,
): Promise<T> {
  return await duringTransaction(backoffice, statement, async (client) => {
    const answer = send();
    await untilWaitedFor(client);
    await client.query('commit');
    return await answer;
  });
}

/** A deadlock, and a snapshot that is too old for a change. */
const conflicts: readonly unknown[] = ['40P01', '40001'];

/** Opens connections that detect a deadlock soon. */
export async function connectClients(database: OwnDatabase, count: number): Promise<Client[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => database.connect()));
  await Promise.all(clients.map((client) => client.query(`set deadlock_timeout = '20ms'`)));
  return clients;
}

/** Runs the statements of each client concurrently: a list of transactions per client, one after the other. */
export async function runConcurrently(
  clients: readonly Client[],
  perClient: readonly (readonly (readonly string[])[])[],
): Promise<void> {
  const run = async (client: Client, index: number) => {
    for (const statements of perClient[index] ?? []) await runTransaction(client, statements);
  };
  await Promise.all(clients.map(run));
}

/** Rolls back a transaction that conflicts, as some do that change the same rows in opposite orders. */
async function runTransaction(client: Client, statements: readonly string[]): Promise<void> {
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    await client.query('rollback');
    if (!(error instanceof DatabaseError && conflicts.includes(error.code))) throw error;
  }
}
