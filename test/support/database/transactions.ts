import { type Client, DatabaseError } from 'pg';
import type { OwnDatabase } from './database-of-this-file.ts';

/** A deadlock, and a snapshot that is too old for a change. */
const conflicts: readonly unknown[] = ['40P01', '40001'];

/** Opens connections that detect a deadlock soon. */
export async function connectClients(database: OwnDatabase, count: number): Promise<Client[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => database.connect()));
  await Promise.all(clients.map((client) => client.query(`set deadlock_timeout = '20ms'`)));
  return clients;
}

/** Runs the statements of each client concurrently: a list of transactions per client, one after the other. */
export async function runConcurrently(
  clients: readonly Client[],
  perClient: readonly (readonly (readonly string[])[])[],
): Promise<void> {
  await Promise.all(
    clients.map(async (client, index) => {
      for (const statements of perClient[index] ?? []) await runTransaction(client, statements);
    }),
  );
}

/** Rolls back a transaction that conflicts, as some do that change the same rows in opposite orders. */
async function runTransaction(client: Client, statements: readonly string[]): Promise<void> {
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    await client.query('rollback');
    if (!(error instanceof DatabaseError && conflicts.includes(error.code))) throw error;
  }
}
