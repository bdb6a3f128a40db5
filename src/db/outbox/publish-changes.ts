import { type Client, DatabaseError, type QueryResult } from 'pg';
import { z } from 'zod';
import { atMost } from '../../shared/waiting.ts';
import { insidesOf, ownConnection, sendTogether } from '../connection/own-connection.ts';
import { selectEvents } from './events.ts';

/** The function waits for the publishers of other processes, each of which takes milliseconds. */
const defaultStatementTimeoutMs = 8_000;
/** After a timeout the next batch has twice the time, up to this factor: a long backlog takes its time to look at. */
const maxTimeoutFactor = 16;
/** After the statement has timed out for this long, the server is gone or frozen. */
const answerDelayMs = 2_000;
const connectTimeoutMs = 5_000;
const maxDisconnectMs = 1_000;

/** A batch is at most this long, so that other publishers don't wait long, unless one transaction is longer. */
const maxRows = 5_000;

/** How often all recorded changes are looked at, also those that the last snapshot has seen: a restore may bring some. */
const sweepIntervalMs = 30_000;

const statementTimedOut = '57014';

const publication = z.object({
  published: z.string().transform(Number),
  is_complete: z.boolean(),
  snapshot: z.string().nullable(),
});

/** Publishes changes on a connection of its own, which it opens when needed: no pool that is busy delays it. */
export class PublishingConnection {
  readonly #databaseUrl: string;
  readonly #statementTimeoutMs: number;
  #client: Client | undefined;
  #snapshot: string | null = null;
  #sweptAt = -Infinity;
  #maxRows = maxRows;
  #timeoutFactor = 1;

  constructor(databaseUrl: string, statementTimeoutMs = defaultStatementTimeoutMs) {
    this.#databaseUrl = databaseUrl;
    this.#statementTimeoutMs = statementTimeoutMs;
  }

  /** The number of the server's process for the connection, which its notifications have. Undefined without one. */
  get processId(): number | undefined {
    return this.#client && (insidesOf(this.#client).processID ?? undefined);
  }

  /**
   * Publishes a batch of the changes that are committed now. If it fails, the next call opens another connection.
   *
   * @param after - also reads a page of the events after this id, in the same round trip
   */
  async publish(after?: number) {
    try {
      return await this.#publishBatch(await this.#connect(), after);
    } catch (error) {
      // A batch that takes too long, for example for its webhooks, must not be tried forever.
      if (error instanceof DatabaseError && error.code === statementTimedOut) {
        this.#maxRows = Math.max(1, Math.floor(this.#maxRows / 4));
        this.#timeoutFactor = Math.min(maxTimeoutFactor, this.#timeoutFactor * 2);
      }
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // The next connection may be one to another server, where other transactions have these numbers.
    this.#snapshot = null;
    // A server that has frozen does not answer the goodbye.
    if (client !== undefined) await atMost(maxDisconnectMs, client.end());
  }

  async #connect(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const client = ownConnection({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: this.#statementTimeoutMs * this.#timeoutFactor + answerDelayMs,
      pipeline: true,
    });
    this.#client = client;
    await client.connect();
    return client;
  }

  async #publishBatch(client: Client, after: number | undefined) {
    const isSweep = performance.now() >= this.#sweptAt + sweepIntervalMs;
    const known = isSweep || this.#snapshot === null ? 'null' : client.escapeLiteral(this.#snapshot);
    sendTogether(client);
    // Sent as one, so that it is one transaction and one round trip, and a process that freezes leaves no transaction open.
    const publishing: Promise<unknown> = client.query(`
      set transaction isolation level read committed, read write;
      set local statement_timeout = ${this.#statementTimeoutMs * this.#timeoutFactor};
      select published, is_complete, snapshot::text from publish_changes(${known}, ${this.#maxRows})
    `);
    const [results, events] = await Promise.all([
      publishing,
      after === undefined ? [] : selectEvents(client, after),
    ]);
    const answer = publication.parse((results as QueryResult[]).at(-1)?.rows[0]);
    if (isSweep && answer.is_complete) this.#sweptAt = performance.now();
    this.#snapshot = answer.snapshot;
    this.#maxRows = Math.min(maxRows, this.#maxRows * 2);
    if (answer.is_complete) this.#timeoutFactor = 1;
    return { published: answer.published, isComplete: answer.is_complete, events };
  }
}
