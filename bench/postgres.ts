import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { joinEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';

/** Runs `use` on a new Postgres with the durability of production, and removes it afterwards. */
export async function withPostgres<T>(use: (url: string) => Promise<T>): Promise<T> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'backoffice-bench-'));
  const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: true });
  try {
    return await use(postgres.url);
  } finally {
    await postgres.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** Runs `use` on a connection and closes it. */
export async function withConnection<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
