import type { Client } from 'pg';
import { plainClient } from './plain-client.ts';

const timeoutMs = 3_000;

/**
 * Reports whether a URL leads to a pooler such as PgBouncer, instead of to a Postgres server or a proxy that passes bytes on.
 *
 * A server begins each connection with the number of the process that serves it. A pooler begins one before it knows which
 * of the server's processes will, so the process that answers a statement has another number. That shows each pooler,
 * whether it shares connections between transactions or sessions, and whether it refuses, ignores or sets timeouts.
 *
 * @throws if the database cannot be reached
 */
export async function leadsToPooler(databaseUrl: string): Promise<boolean> {
  const client = plainClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ process: number; isNeon: boolean }>(`
      select pg_backend_pid() as process, current_setting('neon.timeline_id', true) is not null as "isNeon"
    `);
    const [answering] = rows;
    // The proxy of Neon, a hosted Postgres, has numbers of its own even where it shares no connection.
    return answering?.isNeon !== true && answering?.process !== processOf(client);
  } catch (error) {
    // PgBouncer refuses most parameters of a URL, such as `options`. Postgres has another message for an unknown one.
    if (error instanceof Error && error.message.startsWith('unsupported startup parameter')) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the number that the connection began with. The types of `pg` lack it. */
function processOf(client: Client): number | null {
  return (client as unknown as { readonly processID: number | null }).processID;
}
