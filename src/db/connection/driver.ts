import pg from 'pg';
import { createDriverFactory, type DriverFactory, type DriverQueryResult } from 'slonik';
import { currentTracer, inSpan } from '../../shared/tracing.ts';
import { isSilent, toSlonikError } from './errors.ts';
import { disconnect, ownConnection, sendTogether } from './own-connection.ts';
import { liftTimeouts, type NameOf, statementNames, statementSpan } from './statements.ts';

/** How long the service waits for the database. */
export interface DatabaseTimeouts {
  readonly connectionMs: number;
  /** The server cancels a statement after this time. */
  readonly statementMs: number;
  /** How long a statement waits for a lock; 0 for as long as it may run. */
  readonly lockMs: number;
}

interface DriverOptions {
  readonly databaseUrl: string;
  /**
   * Whether the URL leads to a pooler that shares connections between transactions. It may know no prepared statements,
   * and refuses settings at the start of a connection: its own configuration sets the timeouts.
   */
  readonly pooler: boolean;
  readonly timeouts: DatabaseTimeouts;
  readonly onConnectionError: (error: Error) => void;
}

/** A list waits for its reader inside a transaction, so this limits how slow a reader may be. */
export const idleInTransactionTimeoutMs = 30_000;
/** A server that is alive cancels a statement in time. One that does not answer this much later has frozen. */
export const answerDelayMs = 2_000;
/** Idle connections say so often that they are there, so that no firewall forgets them. */
export const keepAliveMs = 10_000;
/** `pg` has no word for a query without a timeout. This is the longest timer of Node. */
const noTimeoutMs = 2 ** 31 - 1;

const noRows: DriverQueryResult = { command: 'SELECT', fields: [], rowCount: 0, rows: [] };

/**
 * Returns Slonik's driver for `pg`. Unlike the driver of Slonik it prepares each statement under a name for its text,
 * sends the beginning of a transaction together with the first statement, and gives up a server that does not answer.
 */
export function createPgDriver(options: DriverOptions): DriverFactory {
  const nameOf: NameOf = options.pooler ? () => undefined : statementNames();
  const open = new Set<Connection>();
  return createDriverFactory(async () => ({
    async createPoolClient({ clientEventEmitter }) {
      const onError = (error: Error) => {
        options.onConnectionError(error);
        clientEventEmitter.emit('error', toSlonikError(error));
      };
      // What this server has not answered, the other connections would not get either.
      const onSilence = () => {
        for (const other of open) other.dropIfIdle();
      };
      const connection = new Connection(options, nameOf, onError, onSilence);
      return {
        async connect() {
          await connection.connect();
          open.add(connection);
        },
        async end() {
          open.delete(connection);
          await connection.end();
        },
        query: (text, values) => connection.query(text, values),
        stream() {
          throw new Error('Use a cursor. The driver sends statements without waiting for earlier ones.');
        },
      };
    },
  }));
}

class Connection {
  readonly #client: pg.Client;
  readonly #nameOf: NameOf;
  readonly #onSilence: () => void;
  /** The begin of the transaction, which the first statement does not wait for. */
  #begun: Promise<unknown> | undefined;
  #timeoutMs: number | undefined;
  #running = 0;

  constructor(
    { databaseUrl, pooler, timeouts }: DriverOptions,
    nameOf: NameOf,
    onError: (error: Error) => void,
    onSilence: () => void,
  ) {
    this.#nameOf = nameOf;
    this.#onSilence = onSilence;
    this.#client = ownConnection({
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
    this.#client.on('error', onError);
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  async end(): Promise<void> {
    // A server that has frozen does not answer the goodbye.
    if (this.#running > 0) disconnect(this.#client);
    else await this.#client.end();
  }

  dropIfIdle(): void {
    if (this.#running === 0) disconnect(this.#client);
  }

  async query(text: string, values?: unknown[]): Promise<DriverQueryResult> {
    switch (text) {
      case 'START TRANSACTION':
        return this.#begin();
      case 'COMMIT':
        return await this.#commit();
      case 'ROLLBACK':
        return await this.#rollback();
      case liftTimeouts.sql:
        this.#timeoutMs = noTimeoutMs;
        return await this.#run(text);
      default:
        return await this.#run(text, values);
    }
  }

  #begin(): DriverQueryResult {
    sendTogether(this.#client);
    this.#begun = this.#run('begin');
    // The commit reports it.
    this.#begun.catch(() => {});
    return noRows;
  }

  /** Postgres answers the commit of a transaction that has failed with a rollback. */
  async #commit(): Promise<DriverQueryResult> {
    this.#timeoutMs = undefined;
    await this.#begun;
    const result = await this.#run('commit');
    if ((result.command as string) !== 'COMMIT') throw new Error('The transaction was rolled back.');
    return result;
  }

  /** A transaction that cannot be rolled back would swallow the work of others. */
  async #rollback(): Promise<DriverQueryResult> {
    this.#timeoutMs = undefined;
    try {
      return await this.#run('rollback');
    } catch (error) {
      disconnect(this.#client);
      throw error;
    }
  }

  #run(text: string, values?: unknown[]): Promise<DriverQueryResult> {
    const run = () => this.#send(text, values);
    return currentTracer() === undefined ? run() : inSpan(statementSpan(text), run);
  }

  async #send(text: string, values?: unknown[]): Promise<DriverQueryResult> {
    this.#running++;
    try {
      const config = { text, name: values && this.#nameOf(text), values, query_timeout: this.#timeoutMs };
      const { command, rowCount, rows } = await this.#client.query<Record<string, unknown>>(config);
      // Nothing reads the fields.
      return { command: command as DriverQueryResult['command'], fields: [], rowCount, rows };
    } catch (error) {
      if (isSilent(error)) this.#onSilence();
      throw toSlonikError(error);
    } finally {
      this.#running--;
    }
  }
}

/** Counts and ids are safe integers. Postgres formats timestamps, and numerics stay decimal strings. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
};
