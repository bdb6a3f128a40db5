import type { Client } from 'pg';
import { answerInTime } from '../../shared/waiting/wait.ts';
import { plainClient } from './plain-client.ts';

/** Thrown for what the database should have answered, or would have to answer, while it hangs. */
export class DatabaseHangsError extends Error {
  override readonly message = 'The database does not answer.';
}

/** How long the database has to answer a question, in slices of a second. */
const answerSeconds = 3;
/** A connection that is not there by then is given up. Later than the question. */
const connectTimeoutMs = (answerSeconds + 1) * 1_000;

/** A connection, and whether a question on it had no answer in time. */
interface Connection {
  readonly client: Promise<Client>;
  hangs: boolean;
}

/**
 * A connection of its own for short questions about the database: no pool that is full delays them. It connects with the
 * first question.
 */
export class ProbeConnection {
  readonly #databaseUrl: string;
  #connection: Connection | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /**
   * Asks the database. The question after a failed one opens another connection.
   *
   * @throws DatabaseHangsError if there is no answer within three seconds
   */
  async ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    const connection = this.#connection ?? this.#open();
    try {
      return await answerInTime(answerSeconds, connection.client.then(question), () => {
        connection.hangs = true;
        return new DatabaseHangsError();
      });
    } catch (error) {
      this.#leave(connection);
      // Another question has given the connection up.
      throw connection.hangs ? new DatabaseHangsError() : error;
    }
  }

  close(): void {
    if (this.#connection !== undefined) this.#leave(this.#connection);
  }

  /** A connection that ends between two questions, as with a restart of the server, fails neither of them. */
  #open(): Connection {
    const connection: Connection = { client: connect(this.#databaseUrl), hangs: false };
    this.#connection = connection;
    connection.client.then((client) => client.once('end', () => this.#leave(connection))).catch(() => {});
    return connection;
  }

  /** Does not wait: a server that hangs does not answer the goodbye. */
  #leave(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined;
    connection.client.then((client) => client.end()).catch(() => {});
  }
}

async function connect(databaseUrl: string): Promise<Client> {
  const client = plainClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  });
  await client.connect();
  return client;
}
