import type { Client } from 'pg';
import { publishingClient } from './publishing-client.ts';

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
