import { type DatabasePoolConnection, sql } from 'slonik';
import { BackofficeError } from '../../contract/errors.ts';
import type { Database, Pool } from './pool.ts';

/** Runs the work in a transaction. A BackofficeError rolls it back. */
export async function runTransaction<T>(pool: Pool, work: (tx: Database) => Promise<T>): Promise<T> {
  return await withConnection(pool, async (connection) => await connection.transaction(work));
}

/** Opens a connection if none is idle, so that the next work finds one. Does not wait. */
export function openConnection(pool: Pool): void {
  pool.connect(async () => {}).catch(() => {});
}

/**
 * Runs the work on one connection. A BackofficeError keeps the connection: Slonik destroys a connection on any error that
 * leaves `connect`, and a reconnect takes 30 times as long as a rollback.
 */
export async function withConnection<T>(
  pool: Pool,
  work: (connection: DatabasePoolConnection) => Promise<T>,
): Promise<T> {
  const outcome = await pool.connect(async (connection) => {
    try {
      return { result: await work(connection) };
    } catch (error) {
      if (error instanceof BackofficeError && (await isAlive(connection))) return { refusal: error };
      throw error;
    }
  });
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return outcome.result;
}

/** Reports whether the connection still works: work may refuse because of an error that has also ended it. */
async function isAlive(connection: Database): Promise<boolean> {
  return await connection.query(sql.unsafe`select`).then(
    () => true,
    () => false,
  );
}
