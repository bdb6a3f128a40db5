import { Client } from 'pg';

/** What a server says of itself, as far as it matters to the service. */
export interface ServerFacts {
  /** `server_version_num`, such as 150018. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** Connections that are not kept for superusers. */
  readonly maxConnections: number;
  /** Changes are refused by a setting of the server, the database or the role. */
  readonly readOnly: boolean;
  /** It follows another server. */
  readonly isReplica: boolean;
  /** A lower bound of how far its clock is ahead, in milliseconds: a slow answer hides as much as it took. */
  readonly clockAheadMs: number;
}

/** Milliseconds. */
const timeoutMs = 5_000;

/**
 * Asks a server about itself, on a plain connection of its own: an error is the server's or the network's own, with
 * its code.
 */
export async function inspectServer(databaseUrl: string): Promise<ServerFacts> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // A connection that breaks fails the query under way; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const asked = Date.now();
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
        (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
    `);
    const [found] = rows;
    if (found === undefined) throw new Error('The server answered nothing.');
    const { clock, ...facts } = found;
    // The server read its clock at some time between the question and the answer.
    const nearest = Math.min(Math.max(clock, asked), Date.now());
    return { ...facts, clockAheadMs: Math.round(clock - nearest) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
