import pg from 'pg';
import { createDriverFactory, type DriverFactory, type DriverQueryResult } from 'slonik';
import { currentTracer, inSpan } from '../../shared/tracing.ts';
import { isSilent, toSlonikError } from './errors.ts';
import { disconnect, ownConnection, sendTogether } from './own-connection.ts';
import { liftTimeouts, statementNames, statementSpan } from './statements.ts';

/** How long the service waits for the database. */
export interface DatabaseTimeouts {
  readonly connectionMs: number;
  /** The server cancels a statement after this time. */
  readonly statementMs: number;
  /** How long a statement waits for a lock; 0 for as long as it may run. */
  readonly lockMs: number;
}

export const defaultTimeouts: DatabaseTimeouts = {
  connectionMs: 3_000,
  // Less than the 10 s of a request, so that a statement ends before the request that waits for it.
  statementMs: 8_000,
  // A caller learns within two seconds that a migration holds the table. Longer than the second after which Postgres
  // looks for a deadlock, and than a change of 10,000 rows takes.
  lockMs: 1_800,
};

export interface DriverOptions {
  /** A Postgres connection URI. */
  readonly databaseUrl: string;
  /**
   * Whether the URL leads to a pooler that shares connections between transactions. It may know no prepared statements,
   * and refuses settings at the start of a connection: its own configuration sets the timeouts.
   */
  readonly pooler?: boolean;
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Called for each connection that breaks. */
  readonly onConnectionError?: ((error: Error) => void) | undefined;
}

/** A list waits for its reader inside a transaction, so this limits how slow a reader may be. */
export const idleInTransactionTimeoutMs = 30_000;
/** A server that is alive cancels a statement in time. One that does not answer this much later has frozen. */
export const answerDelayMs = 2_000;
/** Idle connections say so often that they are there, so that no firewall forgets them. */
export const keepAliveMs = 10_000;
/** `pg` has no word for a query without a timeout. This is the longest timer of Node. */
const noTimeoutMs = 2 ** 31 - 1;

/**
 * Returns Slonik's driver for `pg`. Unlike the driver of Slonik it prepares each statement under a name for its text,
 * sends the beginning of a transaction together with the first statement, and gives up a server that does not answer.
 */
export function createPgDriver(options: DriverOptions): DriverFactory {
  const nameOf = options.pooler ? () => undefined : statementNames();
  const open = new Set<() => void>();
  return createDriverFactory(async () => ({
    async createPoolClient({ clientEventEmitter }) {
      return createConnection(options, nameOf, open, (error) => {
        // Slonik has closed the connection while a statement ran on it, and no longer listens. An event that nobody
        // listens to would end the process.
        if (clientEventEmitter.listenerCount('error') === 0) return;
        options.onConnectionError?.(error);
        clientEventEmitter.emit('error', toSlonikError(error));
      });
    },
  }));
}

/** @param open - functions that drop the connections to the same server, each if nothing runs on it */
function createConnection(
  { databaseUrl, pooler, timeouts = defaultTimeouts }: DriverOptions,
  nameOf: ReturnType<typeof statementNames>,
  open: Set<() => void>,
  onError: (error: Error) => void,
) {
  const client = ownConnection({
    connectionString: databaseUrl,
    types,
    pipeline: true,
    connectionTimeoutMillis: timeouts.connectionMs,
    query_timeout: timeouts.statementMs + answerDelayMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...(!pooler && {
      statement_timeout: timeouts.statementMs,
      lock_timeout: timeouts.lockMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    }),
  });
  client.on('error', onError);
  /** The begin of the transaction, which the first statement does not wait for. */
  let begun: Promise<unknown> | undefined;
  let timeoutMs: number | undefined;
  let running = 0;
  const dropIfIdle = () => {
    if (running === 0) disconnect(client);
  };

  function run(text: string, values?: unknown[]): Promise<DriverQueryResult> {
    const send = () => sendStatement(text, values);
    return currentTracer() === undefined ? send() : inSpan(statementSpan(text), send);
  }

  async function sendStatement(text: string, values?: unknown[]): Promise<DriverQueryResult> {
    running++;
    try {
      const config = { text, name: values && nameOf(text), values, query_timeout: timeoutMs };
      const { command, rowCount, rows } = await client.query<Record<string, unknown>>(config);
      // Nothing reads the fields.
      return { command: command as DriverQueryResult['command'], fields: [], rowCount, rows };
    } catch (error) {
      // What this server has not answered, the other connections would not get either.
      if (isSilent(error)) for (const drop of open) drop();
      throw toSlonikError(error as Error);
    } finally {
      running--;
    }
  }

  function begin(): DriverQueryResult {
    sendTogether(client);
    begun = run('begin');
    // The commit reports it.
    begun.catch(() => {});
    return { command: 'SELECT', fields: [], rowCount: 0, rows: [] };
  }

  /** Ends the transaction. Postgres answers the commit of one that has failed with a rollback. */
  async function end(statement: 'COMMIT' | 'ROLLBACK'): Promise<DriverQueryResult> {
    // Deferred triggers work in the commit.
    if (statement === 'ROLLBACK') timeoutMs = undefined;
    try {
      if (statement === 'COMMIT') await begun;
      const result = await run(statement.toLowerCase());
      if ((result.command as string) !== statement) throw new Error('The transaction was rolled back.');
      return result;
    } catch (error) {
      // A transaction that cannot be rolled back would swallow the work of others.
      if (statement === 'ROLLBACK') disconnect(client);
      throw error;
    } finally {
      timeoutMs = undefined;
    }
  }

  return {
    async connect(): Promise<void> {
      await client.connect();
      open.add(dropIfIdle);
    },
    async end(): Promise<void> {
      open.delete(dropIfIdle);
      // A server that has frozen does not answer the goodbye.
      if (running > 0) disconnect(client);
      else await client.end();
    },
    async query(text: string, values?: unknown[]): Promise<DriverQueryResult> {
      if (text === 'START TRANSACTION') return begin();
      if (text === 'COMMIT' || text === 'ROLLBACK') return await end(text);
      if (text === liftTimeouts.sql) timeoutMs = noTimeoutMs;
      return await run(text, values);
    },
    stream() {
      throw new Error('Use a cursor. The driver sends statements without waiting for earlier ones.');
    },
  };
}

/** Counts and ids are safe integers. Postgres formats timestamps, and numerics stay decimal strings. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
};
