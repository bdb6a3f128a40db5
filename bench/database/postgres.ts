import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { joinEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { slowFlushBinaries } from './slow-flush.ts';

/**
 * Runs `use` on a new Postgres with the durability of production, and removes it afterwards.
 *
 * @param flushDelayMs - added to each flush to the disk
 */
export async function withPostgres<T>(use: (url: string) => Promise<T>, flushDelayMs = 0): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-bench-'));
  await chmod(folder, 0o755);
  try {
    const binaries = flushDelayMs > 0 ? await slowFlushBinaries(folder, flushDelayMs) : undefined;
    const postgres = await joinEmbeddedPostgres({
      dataDirectory: join(folder, 'data'),
      durable: true,
      ...(binaries && { binaries }),
    });
    try {
      return await use(postgres.superuserUrl);
    } finally {
      await postgres.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
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
