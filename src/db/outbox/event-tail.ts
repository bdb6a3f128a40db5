import pg from 'pg';
import { atMost, createBackoff, wait } from '../../shared/waiting.ts';
import { type StoredEvent, selectEventBoundsOn, selectEventsOn } from './events.ts';

interface EventTailOptions {
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

/**
 * Reads the outbox as it grows, on a connection of its own that listens for notifications. Reconnects if the
 * connection is lost.
 */
export function tailEvents({
  databaseUrl,
  position,
  onEvents,
  onReset,
  isOwn = () => false,
  onLive,
  onLost,
}: EventTailOptions): EventTail {
  const closing = new AbortController();
  const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs });
  /** Ends the wait for notifications. */
  let waiting = new AbortController();
  let isNotified = false;

  function read(): void {
    isNotified = true;
    waiting.abort();
  }

  async function keepFollowing(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (closing.signal.aborted) return;
        onLost(error);
      }
      await wait(backoff.next(), closing.signal);
    }
  }

  /** Follows the events on one connection until it is lost. */
  async function follow(): Promise<void> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      waiting.abort();
    };
    client.on('notification', ({ processId }) => {
      if (!isOwn(processId)) read();
    });
    // The next query reports the error. Without a listener it would end the process.
    client.on('error', end);
    client.on('end', end);
    isNotified = false;
    try {
      await client.connect();
      await client.query('listen backoffice_events');
      for (let notified = false; !closing.signal.aborted; notified = isNotified) {
        isNotified = false;
        if (!hasEnded) waiting = new AbortController();
        if (!notified) await checkPosition(client);
        await readNewEvents(client);
        backoff.reset();
        onLive();
        if (!closing.signal.aborted) await wait(pollIntervalMs, waiting.signal);
      }
    } finally {
      // A server that has frozen does not answer the goodbye.
      await atMost(maxDisconnectMs, client.end());
    }
  }

  async function checkPosition(client: pg.Client): Promise<void> {
    // Asked before the query: the publisher may hand over newer events while the answer is on its way.
    const taken = position();
    const { newest } = await selectEventBoundsOn(client);
    if (newest < taken) onReset(newest);
  }

  async function readNewEvents(client: pg.Client): Promise<void> {
    for (;;) {
      const after = position();
      const events = await selectEventsOn(client, after);
      if (events.length === 0) return;
      onEvents(events, after);
    }
  }

  const done = keepFollowing();
  return {
    read,
    async close() {
      closing.abort();
      waiting.abort();
      await done;
    },
  };
}
