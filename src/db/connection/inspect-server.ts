import { plainClient } from './plain-client.ts';

/** The facts about a database server that matter to the service. */
export interface ServerFacts {
  /** `server_version_num`, such as 150018. */
  readonly versionNumber: number;
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

const timeoutMs = 5_000;

/**
 * Reads the facts about a server on a plain connection of its own, so that an error is the one of the server or the
 * network, with its code.
 */
export async function inspectServer(databaseUrl: string): Promise<ServerFacts> {
  const client = plainClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  try {
    await client.connect();
    const sentAt = Date.now();
    const { rows } = await client.query<ServerFacts & { clock: number }>(`
      select
        current_setting('server_version_num')::integer as "versionNumber",
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
    `);
    const [found] = rows;
    if (found === undefined) throw new Error('The server returned no row.');
    const { clock, ...facts } = found;
    // The server read its clock at some time between the query and the answer.
    const nearest = Math.min(Math.max(clock, sentAt), Date.now());
    return { ...facts, clockAheadMs: Math.round(clock - nearest) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
