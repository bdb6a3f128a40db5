import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { type Binaries, findBinaries, readBinaries } from '../../../src/db/embedded/programs.ts';

/** Runs work with a connection to the database, and closes the connection afterwards. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = publishingClient(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Finds what is only there once the changes that were recorded are published. */
const publishedTables =
  /\b(?:from|join|into|update|truncate)\s+(?:public\.)?(?:events|audit_records|webhook_deliveries)\b/i;

/**
 * Returns a client that publishes the recorded changes before each statement about what is published, on a connection of
 * its own. So a test finds what a call has caused as soon as it has its answer.
 */
export function publishingClient(url: string): Client {
  const client = new Client({ connectionString: url });
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const end = client.end.bind(client) as () => Promise<void>;
  let publisher: Promise<Client> | undefined;

  const publish = async () => {
    publisher ??= connect(url);
    // Fails on a schema without the function, which has nothing to publish either.
    await (await publisher).query('select publish_changes()').catch(() => {});
  };
  const override = {
    query(...parameters: unknown[]) {
      const [first] = parameters;
      const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
      // Others, such as streams, are not promises.
      if (text === undefined || !publishedTables.test(text)) return query(...parameters);
      return publish().then(() => query(...parameters));
    },
    async end() {
      await (await publisher?.catch(() => undefined))?.end();
      await end();
    },
  };
  return Object.assign(client, override as unknown as Pick<Client, 'query' | 'end'>);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The name and password of a role of the run's server. */
interface Login {
  readonly name: string;
  readonly password: string;
}

/** The roles that the services of tests use, as installations do: one owns the schema, the other one serves. */
export type TestRoles = Awaited<ReturnType<typeof createRoles>>;

export async function createRoles(client: Client) {
  const create = async (kind: string): Promise<Login> => {
    const login = { name: `${kind}_${crypto.randomUUID()}`, password: crypto.randomUUID() };
    await client.query(`create role "${login.name}" login password '${login.password}'`);
    return login;
  };
  return { owner: await create('owner'), runtime: await create('runtime') };
}

export async function dropRoles(client: Client, { owner, runtime }: TestRoles): Promise<void> {
  await client.query(`drop role "${runtime.name}", "${owner.name}"`);
}

/** Returns the URL with the credentials of a role. */
export function withLogin(url: string, { name, password }: Login): string {
  const changed = new URL(url);
  changed.username = name;
  changed.password = password;
  return changed.href;
}

/**
 * Returns the Postgres that the test databases run on: the one that `npm run test:postgres` names in
 * BACKOFFICE_TEST_POSTGRES, otherwise the embedded one. Tests of the embedded server itself always use the latter.
 */
export async function findTestBinaries(): Promise<Binaries> {
  const { BACKOFFICE_TEST_POSTGRES: packageFolder } = process.env;
  return packageFolder ? await readBinaries(packageFolder) : await findBinaries();
}

/** The database server of one test run. */
export type TestServer = Awaited<ReturnType<typeof startTemporaryServer>>;

/** Starts an embedded server in a temporary folder. `close` stops it and removes the folder. */
export async function startTemporaryServer() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'backoffice-server-'));
  const binaries = await findTestBinaries();
  const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false, binaries });
  await withClient(postgres.superuserUrl, configure);
  const admin = new URL(postgres.superuserUrl);
  // Tests add parameters of their own.
  admin.search = '';
  return {
    /** The URL of a superuser. */
    adminUrl: admin.href,
    async close() {
      await postgres.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Leaves out work that no test needs, because all tests share the processors. */
async function configure(client: Client): Promise<void> {
  const settings = {
    // Tests that need statistics or the visibility map call ANALYZE or VACUUM.
    autovacuum: 'off',
    // The pages of a dropped database never have to reach its files.
    bgwriter_lru_maxpages: '0',
    checkpoint_timeout: '1h',
    max_wal_size: '8GB',
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter system set ${name} = '${value}'`);
  }
  await client.query('select pg_reload_conf()');
  // The password takes a third of the time of a connection. Older servers have no setting for it.
  await client.query(`select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'`);
  await client.query(`alter role current_user password ${client.escapeLiteral(client.password ?? '')}`);
}
