import { addAbortListener } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryResultRow } from 'pg';

/**
 * Creates a connection outside of any pool. If it breaks, the query that runs, or else the next one, fails. Nothing listens
 * for the error otherwise, which would end the process.
 */
export function ownConnection(config: ClientConfig): Client {
  const client = new Client(config);
  client.on('error', () => {});
  return client;
}

/**
 * Opens a connection of its own, runs `work` on it and closes it. For long work and for what belongs to a session: the
 * pools of the service have a statement timeout and may share connections.
 */
export async function withConnection<Result>(
  databaseUrl: string,
  work: (connection: Client) => Promise<Result>,
  timeouts: ClientConfig = { connectionTimeoutMillis: 10_000 },
): Promise<Result> {
  const connection = ownConnection({ connectionString: databaseUrl, ...timeouts });
  let reason: Error | undefined;
  connection.on('error', (error) => {
    reason ??= error;
  });
  await connection.connect();
  try {
    return await work(connection);
  } catch (error) {
    // A connection that broke between two queries fails the next one without saying why.
    throw error instanceof Error && error.message.endsWith('is not queryable') ? (reason ?? error) : error;
  } finally {
    await connection.end();
  }
}

/**
 * Closes a connection at once, whatever runs on it. The server rolls back. A polite goodbye would wait behind a COPY that
 * nobody reads any more, or for a server that has frozen.
 */
export function disconnect(connection: Client): void {
  insidesOf(connection).connection.stream.destroy();
}

/**
 * Sends what is queried on a connection from now until the code waits for something, all in one write: each write costs
 * the service and the server a system call and a switch. For connections that send statements without waiting for answers.
 */
export function sendTogether(client: Client): void {
  const { stream } = insidesOf(client).connection;
  stream.cork();
  // The next tick is after the callbacks of all promises that are already settled.
  process.nextTick(() => stream.uncork());
}

/** Returns the first row of a query that always has one. */
export async function oneRow<Row extends QueryResultRow>(
  client: Client,
  query: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(query, values);
  if (rows[0] === undefined) throw new Error('The server returned no row.');
  return rows[0];
}

/** What `pg` has and its types lack: the socket, and the number of the server's process that the connection began with. */
interface Insides {
  readonly connection: { readonly stream: Socket };
  readonly processID: number | null;
}

export const insidesOf = (client: Client) => client as unknown as Insides;

/**
 * Runs long work on a connection, and closes the connection as soon as the work fails or the signal aborts.
 *
 * @throws the signal's reason if it aborts, else the error of the work
 */
export async function untilStopped<Result>(
  connection: Client,
  stop: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  using _ = stop && addAbortListener(stop, () => disconnect(connection));
  try {
    stop?.throwIfAborted();
    return await work();
  } catch (error) {
    disconnect(connection);
    throw stop?.aborted ? stop.reason : error;
  }
}

/**
 * Runs `work` in a transaction.
 *
 * @param mode - such as `isolation level repeatable read, read only`
 */
export async function inTransaction<Result>(connection: Client, work: () => Promise<Result>, mode = '') {
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
