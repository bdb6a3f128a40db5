import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type StoredEvent, selectEventBounds, selectEvents } from '../tables/events.ts';

export interface EventTailOptions {
  readonly databaseUrl: string;
  /** The id of the latest event that was taken. */
  readonly position: () => number;
  /** Takes the events that follow. */
  readonly onEvents: (events: readonly StoredEvent[]) => void;
  /** The database has no event of that position (any more): it is another one, or was put back to this id. */
  readonly onReset: (newest: number) => void;
  /** Everything is read; from now on events are told while they happen. */
  readonly onLive: () => void;
  /** The connection is lost, or cannot be made. It is tried again, and what happens meanwhile is read then. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Milliseconds after which the table is read without a notification: a peer that vanished says nothing, so it must be
 * asked, and behind a pooler that shares connections between transactions no notification ever comes.
 */
const lookInterval = 30_000;
const answerTimeout = 5_000;
const shortestPause = 100;
const longestPause = 10_000;

/**
 * Reads the outbox as it grows, on a connection of its own that listens for its notifications. A connection that is
 * lost is made anew.
 *
 * @returns ends it
 */
export function tailEvents(options: EventTailOptions): () => Promise<void> {
  const closing = new AbortController();
  const done = keepFollowing(options, closing.signal);
  return async () => {
    closing.abort();
    await done;
  };
}

async function keepFollowing(options: EventTailOptions, closing: AbortSignal): Promise<void> {
  let pause = shortestPause;
  const onLive = () => {
    pause = shortestPause;
    options.onLive();
  };
  while (!closing.aborted) {
    try {
      await follow({ ...options, onLive }, closing);
    } catch (error) {
      if (closing.aborted) return;
      options.onLost(error);
    }
    await sleep(pause, undefined, { signal: closing }).catch(() => {});
    pause = Math.min(pause * 2, longestPause);
  }
}

/** Follows on one connection, until that is lost. */
async function follow(options: EventTailOptions, closing: AbortSignal): Promise<void> {
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    connectionTimeoutMillis: answerTimeout,
    query_timeout: answerTimeout,
  });
  using bell = new Bell(client, closing);
  try {
    await client.connect();
    await client.query('listen backoffice_events');
    for (let rung = false; !closing.aborted; rung = await bell.next()) {
      if (!rung) await checkPosition(client, options);
      await readOn(client, options);
      options.onLive();
    }
  } finally {
    // A server that has frozen does not say goodbye.
    await Promise.race([client.end(), sleep(1_000, undefined, { ref: false })]);
  }
}

async function checkPosition(client: pg.Client, { position, onReset }: EventTailOptions): Promise<void> {
  const { newest } = await selectEventBounds(client);
  if (newest < position()) onReset(newest);
}

async function readOn(client: pg.Client, { position, onEvents }: EventTailOptions): Promise<void> {
  for (;;) {
    const events = await selectEvents(client, position());
    if (events.length === 0) return;
    onEvents(events);
  }
}

/** Rings when there are notifications, when it is time to look, and when the connection is no more. */
class Bell implements Disposable {
  readonly #closing: AbortSignal;
  #notified = false;
  #over = false;
  #ring = () => {};
  readonly #end = () => {
    this.#over = true;
    this.#ring();
  };

  constructor(client: pg.Client, closing: AbortSignal) {
    this.#closing = closing;
    client.on('notification', () => {
      this.#notified = true;
      this.#ring();
    });
    // The next query says what is wrong; without a listener an error would end the process.
    client.on('error', this.#end);
    client.on('end', this.#end);
    closing.addEventListener('abort', this.#end);
  }

  /** Resolves at the next ring, at once where it has rung since the last; with whether there are notifications. */
  async next(): Promise<boolean> {
    if (!this.#notified && !this.#over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookInterval);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const notified = this.#notified;
    this.#notified = false;
    return notified;
  }

  [Symbol.dispose](): void {
    this.#closing.removeEventListener('abort', this.#end);
  }
}
