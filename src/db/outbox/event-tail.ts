import type { Client } from 'pg';
import { atMost, createBackoff, wait } from '../../shared/waiting.ts';
import { ownConnection } from '../connection/own-connection.ts';
import { selectEventBounds, selectEvents } from './events.ts';
import type { EventReader } from './publisher.ts';

interface EventTailOptions {
  readonly databaseUrl: string;
  readonly reader: EventReader;
  /** The newest event in the database is older than the position: it is another database, or it was restored. */
  readonly onReset: (newest: number) => void;
  /** Whether a process of the server is our own publisher, whose events arrive in another way. */
  readonly isOwn: (processId: number) => boolean;
  /** All events are read. From now on they arrive as they happen. */
  readonly onLive: () => void;
  /** The connection failed or was lost. The tail reconnects and then reads the events that it missed. */
  readonly onLost: (error: unknown) => void;
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
export function tailEvents({ databaseUrl, reader, isOwn, onReset, onLive, onLost }: EventTailOptions) {
  const closing = new AbortController();
  const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs });
  /** Ends the wait for notifications. */
  let waiting = new AbortController();

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

  async function follow(): Promise<void> {
    const client = ownConnection({
      connectionString: databaseUrl,
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    client.on('notification', ({ processId }) => {
      if (!isOwn(processId)) waiting.abort();
    });
    // The next query reports why.
    client.on('end', () => waiting.abort());
    try {
      await client.connect();
      await client.query('listen backoffice_events');
      while (!closing.signal.aborted) {
        // What comes during the queries ends the next wait.
        waiting = new AbortController();
        await readNewEvents(client);
        backoff.reset();
        onLive();
        await wait(pollIntervalMs, waiting.signal);
      }
    } finally {
      // A server that has frozen does not answer the goodbye.
      await atMost(maxDisconnectMs, client.end());
    }
  }

  async function readNewEvents(client: Client): Promise<void> {
    const before = reader.position;
    for (;;) {
      const after = reader.position;
      const events = await selectEvents(client, after);
      if (events.length === 0) break;
      reader.take(events, after);
    }
    // Not compared with the position of now: the publisher may hand over newer events meanwhile.
    if (reader.position > before) return;
    const { newest } = await selectEventBounds(client);
    if (newest < before) onReset(newest);
  }

  const done = keepFollowing();
  return {
    /** Reads at once, as after a notification. */
    read: () => waiting.abort(),
    async close(): Promise<void> {
      closing.abort();
      waiting.abort();
      await done;
    },
  };
}
