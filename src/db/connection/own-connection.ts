import type { Client } from 'pg';
import { plainClient } from './plain-client.ts';

/**
 * Opens a connection of its own, runs `work` on it and closes it. For long work and for what belongs to a session: the
 * pools of the service have a statement timeout and may share connections.
 */
export async function withConnection<Result>(
  databaseUrl: string,
  work: (connection: Client) => Promise<Result>,
): Promise<Result> {
  const connection = plainClient({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/**
 * Runs `work` in a transaction.
 *
 * @param mode - such as `isolation level repeatable read, read only`
 */
export async function inTransaction<Result>(
  connection: Client,
  work: () => Promise<Result>,
  mode = '',
): Promise<Result> {
  await connection.query(`begin ${mode}`);
  try {
    const result = await work();
    await connection.query('commit');
    return result;
  } catch (error) {
    // If the connection broke, the server has already rolled back, and the first error is the useful one.
    await connection.query('rollback').catch(() => undefined);
    throw error;
  }
}
