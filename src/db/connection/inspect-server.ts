import type { Client } from 'pg';
import { isDiskFull } from './errors.ts';
import { insidesOf, oneRow, withConnection } from './own-connection.ts';

/** The facts about a database server that matter to the service. */
export interface ServerFacts {
  /** Such as `15.18`. */
  readonly version: string;
  readonly encoding: string;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** How many connections it accepts, without those reserved for superusers. */
  readonly maxConnections: number;
  /** A setting of the server, the database or the role makes transactions read-only. */
  readonly readOnly: boolean;
  /** It replicates another server. */
  readonly isReplica: boolean;
  /** How long a statement may run, in milliseconds, unless the connection asks for another time; 0 for any time. */
  readonly statementTimeoutMs: number;
  /** The same for how long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
  /** How far its clock is ahead, as a lower bound: a difference up to the duration of the query cannot be seen. */
  readonly clockAheadMs: number;
}

const timeouts = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };

/** Reads the facts about the server of a connection. */
export async function readServerFacts(client: Client): Promise<ServerFacts> {
  const sentAt = Date.now();
  const { clock, ...facts } = await oneRow<ServerFacts & { clock: number }>(client, selectFacts);
  // The server read its clock at some time between the query and the answer.
  const nearest = Math.min(Math.max(clock, sentAt), Date.now());
  return { ...facts, clockAheadMs: Math.round(clock - nearest) };
}

/** Reads the facts about the server behind a URL. An error is the one of the server or the network, with its code. */
export async function inspectServer(databaseUrl: string): Promise<ServerFacts> {
  return await withConnection(databaseUrl, readServerFacts, timeouts);
}

const selectFacts = `
  select
    current_setting('server_version') as version,
    current_setting('server_encoding') as encoding,
    current_setting('fsync')::boolean as fsync,
    current_setting('full_page_writes')::boolean as "fullPageWrites",
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer
      -- Since Postgres 16.
      - coalesce(current_setting('reserved_connections', true), '0')::integer as "maxConnections",
    current_setting('default_transaction_read_only')::boolean as "readOnly",
    pg_is_in_recovery() as "isReplica",
    (select setting::integer from pg_settings where name = 'statement_timeout') as "statementTimeoutMs",
    (select setting::integer from pg_settings where name = 'lock_timeout') as "lockTimeoutMs",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
`;

/**
 * Runs `inspect` on a connection to a server. Returns undefined if the URL leads to a pooler such as PgBouncer, instead of
 * to a Postgres server or a proxy that passes bytes on.
 *
 * A server begins each connection with the number of the process that serves it. A pooler begins one before it knows which
 * of the server's processes will, so the process that answers a statement has another number. That shows each pooler,
 * whether it shares connections between transactions or sessions, and whether it refuses, ignores or sets timeouts.
 *
 * @throws if the database cannot be reached
 */
export async function withServer<Result>(
  databaseUrl: string,
  inspect: (client: Client) => Promise<Result>,
): Promise<Result | undefined> {
  const unlessPooler = async (client: Client) => {
    const { process, timeline } = await oneRow<{ process: number; timeline: string | null }>(
      client,
      `select pg_backend_pid() as process, current_setting('neon.timeline_id', true) as timeline`,
    );
    // The proxy of Neon, a hosted Postgres, has numbers of its own even where it shares no connection.
    const isPooler = timeline === null && process !== insidesOf(client).processID;
    return isPooler ? undefined : await inspect(client);
  };
  try {
    return await withConnection(databaseUrl, unlessPooler, timeouts);
  } catch (error) {
    // PgBouncer refuses most parameters of a URL, such as `options`. Postgres has another message for an unknown one.
    if (error instanceof Error && error.message.startsWith('unsupported startup parameter')) return undefined;
    throw error;
  }
}

/** Reports whether a URL leads to a pooler. */
export async function leadsToPooler(databaseUrl: string): Promise<boolean> {
  return (await withServer(databaseUrl, async () => true)) === undefined;
}

/** The server keeps 2 MB of rows on its disk, because they do not fit into the memory that they may take. */
const probe = `set work_mem = '64kB'; select count(*) from generate_series(1, 100000)`;

/** Reports whether the server's disk has no room for a temporary file. Needs no rights, and leaves nothing behind. */
export async function isOutOfSpace(client: Client): Promise<boolean> {
  // Another error is another check's.
  return await client.query(probe).then(() => false, isDiskFull);
}
