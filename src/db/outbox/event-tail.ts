import pg from 'pg';
import { atMost, createBackoff, wait } from '../../shared/waiting.ts';
import { type StoredEvent, selectEventBoundsOn, selectEventsOn } from './events.ts';

export interface EventTailOptions {
  readonly databaseUrl: string;
  /** Returns the id of the last event that was taken. */
  readonly position: () => number;
  /** Takes a page of the events after an id, which was the position when it was read. */
  readonly onEvents: (events: readonly StoredEvent[], after: number) => void;
  /** The newest event in the database is older than the position: it is another database, or it was restored. */
  readonly onReset: (newest: number) => void;
  /** Whether a process of the server notifies of events that arrive in another way. */
  readonly isOwn?: ((processId: number) => boolean) | undefined;
  /** All events are read. From now on they arrive as they happen. */
  readonly onLive: () => void;
  /** The connection failed or was lost. The tail reconnects and then reads the events that it missed. */
  readonly onLost: (error: unknown) => void;
}

/** A tail that runs. */
export interface EventTail {
  /** Reads at once, as after a notification. */
  read(): void;
  /** Ends the tail. */
  close(): Promise<void>;
}

/**
 * How often the table is read without a notification. A peer that vanished sends nothing, so only a query finds out,
 * and behind some poolers no notification ever arrives.
 */
const pollIntervalMs = 1_000;
const answerTimeoutMs = 5_000;
const minRetryDelayMs = 100;
const maxRetryDelayMs = 1_000;
const maxDisconnectMs = 1_000;

/** The connection that the tail has now. */
interface Connection {
  notifications?: Notifications;
}

/**
 * Reads the outbox as it grows, on a connection of its own that listens for notifications. Reconnects if the
 * connection is lost.
 */
export function tailEvents(options: EventTailOptions): EventTail {
  const closing = new AbortController();
  const connection: Connection = {};
  const done = keepFollowing(options, connection, closing.signal);
  return {
    read: () => connection.notifications?.notify(),
    async close() {
      closing.abort();
      await done;
    },
  };
}

async function keepFollowing(
  options: EventTailOptions,
  connection: Connection,
  closing: AbortSignal,
): Promise<void> {
  const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs });
  const onLive = () => {
    backoff.reset();
    options.onLive();
  };
  while (!closing.aborted) {
    try {
      await follow({ ...options, onLive }, connection, closing);
    } catch (error) {
      if (closing.aborted) return;
      options.onLost(error);
    }
    await wait(backoff.next(), closing);
  }
}

/** Follows the events on one connection until it is lost. */
async function follow(
  options: EventTailOptions,
  connection: Connection,
  closing: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  using notifications = new Notifications(client, closing, options.isOwn);
  connection.notifications = notifications;
  try {
    await client.connect();
    await client.query('listen backoffice_events');
    for (let notified = false; !closing.aborted; notified = await notifications.next()) {
      if (!notified) await checkPosition(client, options);
      await readNewEvents(client, options);
      options.onLive();
    }
  } finally {
    // A server that has frozen does not answer the goodbye.
    await atMost(maxDisconnectMs, client.end());
  }
}

async function checkPosition(client: pg.Client, { position, onReset }: EventTailOptions): Promise<void> {
  // Asked before the query: the publisher may hand over newer events while the answer is on its way.
  const taken = position();
  const { newest } = await selectEventBoundsOn(client);
  if (newest < taken) onReset(newest);
}

async function readNewEvents(client: pg.Client, { position, onEvents }: EventTailOptions): Promise<void> {
  for (;;) {
    const after = position();
    const events = await selectEventsOn(client, after);
    if (events.length === 0) return;
    onEvents(events, after);
  }
}

/** Waits for the notifications of a connection. */
class Notifications implements Disposable {
  readonly #closing: AbortSignal;
  #wake = new AbortController();
  #isNotified = false;
  #hasEnded = false;

  constructor(client: pg.Client, closing: AbortSignal, isOwn: EventTailOptions['isOwn'] = () => false) {
    this.#closing = closing;
    client.on('notification', ({ processId }) => {
      if (!isOwn(processId)) this.notify();
    });
    // The next query reports the error. Without a listener it would end the process.
    client.on('error', this.#end);
    client.on('end', this.#end);
    closing.addEventListener('abort', this.#end);
  }

  notify(): void {
    this.#isNotified = true;
    this.#wake.abort();
  }

  /**
   * Resolves with true when a notification has arrived since the last call, and with false after the poll interval, or
   * at once if the connection has ended.
   */
  async next(): Promise<boolean> {
    await wait(pollIntervalMs, this.#wake.signal);
    const isNotified = this.#isNotified;
    this.#isNotified = false;
    if (!this.#hasEnded) this.#wake = new AbortController();
    return isNotified;
  }

  [Symbol.dispose](): void {
    this.#closing.removeEventListener('abort', this.#end);
  }

  readonly #end = () => {
    this.#hasEnded = true;
    this.#wake.abort();
  };
}
