import { Client, type ClientConfig, DatabaseError } from 'pg';
import { EmbeddedPostgresError, restorePasswordAdvice, systemErrorCode } from './embedded-postgres-error.ts';

/**
 * The claim of one process on the running server: a connection that holds a shared advisory lock.
 *
 * Whoever can take the lock alone is the last one, and stops the server. A killed process loses its
 * connection and so its claim, without any cleaning up.
 */
export interface Membership {
  readonly port: number;
  /** Resolves when the connection is gone, and the claim with it. Never rejects. */
  readonly lost: Promise<void>;
  /** Gives the claim up; calls `stop` if no other process has one, and keeps joiners out meanwhile. */
  leave(stop: () => Promise<void>): Promise<void>;
}

// Locks are per database, and this one is in `postgres`, out of the way of the product's own.
const LOCK_KEY = 4_711_020_304;

/**
 * Claims the server on this port and makes sure that the database `backoffice` exists.
 *
 * @returns undefined when the server is not to be had now: not up yet, going down, or being stopped by
 *   the last one out.
 * @throws EmbeddedPostgresError when it refuses us for good, as after a change of the password.
 */
export async function claimServer(port: number, password: string): Promise<Membership | undefined> {
  const client = new Client(connection(port, password));
  const lost = lossOf(client);
  try {
    await client.connect();
    if (await ask(client, 'SELECT pg_try_advisory_lock_shared($1) AS answer')) {
      await createDatabase(client);
      return { port, lost, leave: (stop) => leave(client, lost, stop) };
    }
  } catch (error) {
    await hangUp(client, lost);
    if (isPassing(error)) return undefined;
    throw new EmbeddedPostgresError(
      `The embedded Postgres turns us away (${error instanceof Error ? error.message : error}): ${restorePasswordAdvice}`,
    );
  }
  await hangUp(client, lost);
  return undefined;
}

function connection(port: number, password: string): ClientConfig {
  return {
    host: '127.0.0.1',
    port,
    user: 'backoffice',
    password,
    database: 'postgres',
    application_name: 'backoffice membership',
    // Said outright, because pg would otherwise take it from PGSSLMODE.
    ssl: false,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  };
}

function lossOf(client: Client): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  client.once('end', () => resolve());
  // Without a listener, a server that goes away would end this process.
  client.on('error', () => resolve());
  return promise;
}

async function leave(client: Client, lost: Promise<void>, stop: () => Promise<void>): Promise<void> {
  try {
    if (await isLastOne(client)) await stop();
  } finally {
    await hangUp(client, lost);
  }
}

async function isLastOne(client: Client): Promise<boolean> {
  try {
    await ask(client, 'SELECT pg_advisory_unlock_shared($1) AS answer');
    return await ask(client, 'SELECT pg_try_advisory_lock($1) AS answer');
  } catch {
    // The server is gone or about to be, so there is nothing left for us to stop.
    return false;
  }
}

async function ask(client: Client, query: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(query, [LOCK_KEY]);
  return rows[0]?.answer === true;
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM pg_database WHERE datname = 'backoffice'`);
  if (rowCount) return;
  await client.query('CREATE DATABASE backoffice').catch((error: unknown) => {
    const anotherWasFaster = ['42P04', '23505'].includes(systemErrorCode(error) ?? '');
    if (!anotherWasFaster) throw error;
  });
}

async function hangUp(client: Client, lost: Promise<void>): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), lost]);
}

function isPassing(error: unknown): boolean {
  // Whatever is not an answer of Postgres is a broken or refused connection.
  if (!(error instanceof DatabaseError)) return true;
  // 57P01-57P03: shutting down or starting up. 55006: another command creates the database right now.
  return ['57P01', '57P02', '57P03', '55006'].includes(error.code ?? '');
}
