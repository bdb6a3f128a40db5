import { atMost, createBackoff, shareNext, wait } from '../../shared/waiting.ts';
import { isPermissionDenied, isSchemaOutdated } from '../connection/errors.ts';
import type { StoredEvent } from './events.ts';
import { PublishingConnection } from './publish-changes.ts';

/** Reads the events as they are published. */
export interface EventReader {
  /** The id of the last event that it has. */
  readonly position: number;
  /** Takes a page of the events after an id. */
  take(events: readonly StoredEvent[], after: number): void;
}

export interface PublisherOptions {
  readonly databaseUrl: string;
  /** How long one publication may take, before it is tried again with fewer changes. */
  readonly statementTimeoutMs?: number;
  /** Returns what reads events in this process, if anything does. It gets them with the answer to their publication. */
  readonly reader?: () => EventReader | undefined;
  /**
   * Called when changes were published.
   *
   * @param ms - the time since the first of them was due
   */
  readonly onPublished?: (changes: number, ms: number) => void;
  /** How long the right to publish may be missing before that is reported. */
  readonly rightsTimeoutMs?: number;
  /** Called when publishing fails for the first time after it worked. It is tried again. */
  readonly onLost: (error: unknown) => void;
}

/** The time between two batches: longer ones are fewer, and cheaper for each change. */
const gapMs = 5;
/** How soon changes are published that another process left behind. */
const pollIntervalMs = 1_000;
const minRetryDelayMs = 100;
const maxRetryDelayMs = 1_000;
const closeTimeoutMs = 2_000;
const catchUpTimeoutMs = 1_000;
/** Migrations grant the rights on a new function at their end, which may take minutes. */
const defaultRightsTimeoutMs = 60_000;

/**
 * Publishes recorded changes. Each process that writes has one and publishes whatever is committed, so none depends on
 * another: the database lets one of them publish at a time.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #connection: PublishingConnection;
  readonly #backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs, jitter: 0.5 });
  readonly #closing = new AbortController();
  /** When the first of the changes that are not published was due. */
  #dueSince: number | undefined;
  /** The last attempt that was asked for. */
  #last: Promise<void> = Promise.resolve();
  #pauseMs = gapMs;
  #isLost = false;
  #deniedSince: number | undefined;
  /** Gets the events of the last batch. */
  #reader: EventReader | undefined;
  #polling: ReturnType<typeof setInterval> | undefined;
  /** Those who ask during an attempt may have committed after it began, so they share the next one. */
  readonly #publish = shareNext(
    () => this.#attempt(),
    () => wait(this.#pauseMs, this.#closing.signal),
  );

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#connection = new PublishingConnection(options.databaseUrl, options.statementTimeoutMs);
  }

  /** Publishes what is committed now, soon. If that fails, it is tried again. */
  wake(): void {
    this.flush().catch(() => {});
  }

  /** Resolves when everything that is committed now is published. Rejects if the next attempt fails. */
  async flush(): Promise<void> {
    if (this.#closing.signal.aborted) throw new Error('The publisher is closed.');
    this.#dueSince ??= performance.now();
    const published = this.#publish();
    this.#last = published.catch(() => {});
    await published;
  }

  /**
   * Resolves when everything that is committed now is published, and after a second in any case. For readers, who find the
   * rest later.
   */
  async catchUp(): Promise<void> {
    await atMost(
      catchUpTimeoutMs,
      this.flush().catch(() => {}),
    );
  }

  /** Also publishes what other processes left behind, until `close`. */
  startPolling(): void {
    this.#polling ??= setInterval(() => this.wake(), pollIntervalMs).unref();
  }

  /** Reports whether a notification of a process of the server is about events that the reader gets anyway. */
  isOwn(processId: number): boolean {
    return this.#reader !== undefined && processId === this.#connection.processId;
  }

  /** Publishes what is due, within two seconds, and disconnects. */
  async close(): Promise<void> {
    clearInterval(this.#polling);
    this.#closing.abort();
    await atMost(closeTimeoutMs, this.#last);
    await this.#connection.close();
  }

  async #attempt(): Promise<void> {
    const dueSince = this.#dueSince ?? performance.now();
    this.#dueSince = undefined;
    try {
      const published = await this.#publishAll();
      this.#backoff.reset();
      this.#pauseMs = gapMs;
      this.#isLost = false;
      this.#deniedSince = undefined;
      if (published > 0) this.#options.onPublished?.(published, performance.now() - dueSince);
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      // A server that waits for its migrations says so itself.
      if (!this.#isLost && !isSchemaOutdated(error) && !this.#awaitsRights(error)) {
        this.#isLost = true;
        this.#options.onLost(error);
      }
      this.#pauseMs = this.#backoff.next();
      this.#dueSince = dueSince;
      this.wake();
      throw error;
    }
  }

  #awaitsRights(error: unknown): boolean {
    if (!isPermissionDenied(error)) return false;
    this.#deniedSince ??= performance.now();
    const { rightsTimeoutMs = defaultRightsTimeoutMs } = this.#options;
    return performance.now() - this.#deniedSince < rightsTimeoutMs;
  }

  async #publishAll(): Promise<number> {
    let total = 0;
    for (;;) {
      this.#reader = this.#options.reader?.();
      const after = this.#reader?.position;
      const { published, isComplete, events } = await this.#connection.publish(after);
      if (after !== undefined) this.#reader?.take(events, after);
      total += published;
      if (isComplete) return total;
    }
  }
}
