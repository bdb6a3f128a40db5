import type { Client } from 'pg';
import { wait } from '../../shared/waiting.ts';
import { withConnection } from '../connection/own-connection.ts';

/** The number of the advisory lock. That of node-pg-migrate, which older versions take. */
export const migrationLockId = 7_241_865_325_823_964;

/** Postgres 15, as a `server_version_num`. */
const minServerVersion = 150_000;

const lockIntervalMs = 50;
/** Instances that start together on a current schema hold the lock for a moment. */
const quietAttempts = 20;

/**
 * Runs `work` on its own connection while holding the migration lock. Others wait for the lock, which ends with the
 * connection in any case. The lock belongs to the session, so the connection must not go through a pooler that shares
 * connections between transactions.
 *
 * @param log - is told if another process holds the lock for longer than a second
 * @throws if the server is older than Postgres 15 or cannot be reached
 */
export async function withMigrationLock<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
  log: (line: string) => void = () => {},
): Promise<Result> {
  return withConnection(databaseUrl, async (client) => {
    await checkServerVersion(client);
    // The role or the database may have a timeout for the statements of requests.
    await client.query('set statement_timeout = 0');
    await lockMigrations(client, log);
    return work(client);
  });
}

/** Tries again and again: an index that is built concurrently would wait for a statement that waits for the lock. */
async function lockMigrations(client: Client, log: (line: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      migrationLockId,
    ]);
    if (rows[0]?.locked === true) return;
    if (attempt === quietAttempts) log('Another process migrates the database. Waiting for it.');
    await wait(lockIntervalMs);
  }
}

async function checkServerVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  for (const { number, version } of rows) {
    assertSupportedServer(Number(number), version);
  }
}

/**
 * @param number - `server_version_num`, such as 150018
 * @param version - the same as text, such as 15.18
 * @throws if Postgres is older than 15
 */
export function assertSupportedServer(number: number, version: string): void {
  if (number < minServerVersion) {
    throw new Error(`Backoffice needs Postgres 15 or newer. This server is ${version}.`);
  }
}
