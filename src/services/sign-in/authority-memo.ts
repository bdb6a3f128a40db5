import { AuthorityLock } from '../../db/connection/authority-lock.ts';
import { currentMoment, elapsedMs, type Moment } from '../../shared/time/moment.ts';
import { createBackoff } from '../../shared/waiting/backoff.ts';
import { shareRuns } from '../../shared/waiting/share-runs.ts';
import { atMost, wait } from '../../shared/waiting/wait.ts';
import type { Log } from '../call/log.ts';

/** What was read of a session or a token. */
export interface Authority {
  /** How long it stays as it was read, unless it is changed: until it expires, or its last use is to be recorded. */
  readonly freshSeconds: number;
}

interface Remembered {
  readonly authority: Authority;
  readonly readAt: Moment;
}

/** Two reads within this time make the memo worth a lock. */
const frequentMs = 100;
/** How long the lock is held at a time, which is how long a change of authority may have to wait for it. */
const holdMs = 25;
/**
 * The memo is not used longer after the lock was asked for, whatever delays its renewal. Much less than the time after
 * which Postgres takes the lock away.
 */
const maxHoldMs = 300;
const maxRemembered = 10_000;
/** A request waits no longer for what another one reads: that one may wait for something else. */
const maxSharedMs = 100;
const firstRetryMs = 100;
const maxRetryMs = 10_000;

/**
 * Remembers sessions and tokens that were read, so that not every request reads them. It is used only while this instance
 * holds the lock against changes of authority, so what it returns is what the database has: a change that has been
 * answered holds on every instance at once.
 */
export class AuthorityMemo {
  readonly #lock: AuthorityLock;
  readonly #log: Log;
  /** A burst of requests with one session reads it once or twice. Each gets what was read after it came. */
  readonly #share = shareRuns(maxSharedMs);
  readonly #closing = new AbortController();
  readonly #backoff = createBackoff({ firstMs: firstRetryMs, maxMs: maxRetryMs, jitter: 0.5 });
  #remembered = new Map<string, Remembered>();
  /** How many changes of authority there were when the lock was last held. */
  #version: string | null = null;
  /** When the lock was asked for that is held now. */
  #heldSince: Moment | undefined;
  #holding: Promise<void> | undefined;
  /** Set while the lock is asked for. Never rejects, and resolves soon even if the lock does not answer. */
  #renewing: Promise<void> | undefined;
  /** Whether the memo was asked since the lock was last renewed. */
  #isUsed = false;
  #lastReadMs = -Infinity;
  /** How often the connection was lost. */
  #losses = 0;

  constructor({ databaseUrl, log }: { readonly databaseUrl: string; readonly log: Log }) {
    this.#log = log;
    this.#lock = new AuthorityLock(databaseUrl, () => this.#forget());
  }

  /** Returns what is remembered under a key, or reads it. Remembers nothing that does not exist. */
  async find<Found extends Authority>(key: string, read: () => Promise<Found | null>): Promise<Found | null> {
    this.#isUsed = true;
    // Waiting for the lock takes as long as reading from the database, and costs nothing.
    if (!this.#isHeld()) await this.#renewing;
    if (!this.#isHeld()) {
      this.#holdIfFrequent();
      return await this.#share(key, read);
    }
    const remembered = this.#remembered;
    const found = remembered.get(key);
    if (found !== undefined && isFresh(found)) return found.authority as Found;
    const readAt = currentMoment();
    const authority = await this.#share(key, read);
    remembered.delete(key);
    // If authority has changed meanwhile, this is a map that is no longer used.
    if (authority !== null && authority.freshSeconds > 0) {
      const [oldest] = remembered.size < maxRemembered ? [] : remembered.keys();
      if (oldest !== undefined) remembered.delete(oldest);
      remembered.set(key, { authority, readAt });
    }
    return authority;
  }

  /** Forgets everything, and never holds the lock again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#holding;
    await this.#lock.disconnect();
  }

  #isHeld(): boolean {
    return this.#heldSince !== undefined && elapsedMs(this.#heldSince) < maxHoldMs;
  }

  #holdIfFrequent(): void {
    const isFrequent = performance.now() - this.#lastReadMs < frequentMs;
    this.#lastReadMs = performance.now();
    if (!isFrequent || this.#closing.signal.aborted) return;
    this.#holding ??= this.#holdWhileUsed().finally(() => {
      this.#holding = undefined;
    });
  }

  async #holdWhileUsed(): Promise<void> {
    try {
      while (this.#isUsed && !this.#closing.signal.aborted) {
        const renewal = this.#renew();
        this.#renewing = settledWithin(holdMs, renewal);
        await renewal;
        this.#renewing = undefined;
        await wait(holdMs, this.#closing.signal);
        this.#heldSince = undefined;
      }
      await this.#lock.release();
    } catch (err) {
      this.#renewing = undefined;
      this.#forget();
      this.#log.warn({ err }, 'sessions are read with every request until the database answers');
      await this.#lock.disconnect();
      await wait(this.#backoff.next(), this.#closing.signal);
    }
  }

  async #renew(): Promise<void> {
    this.#isUsed = false;
    const askedAt = currentMoment();
    const losses = this.#losses;
    const version = await this.#lock.renew();
    this.#backoff.reset();
    // The connection may have ended right after its answer.
    if (version === null || losses !== this.#losses) return;
    // A value that was read under an earlier lock is still right if nothing has changed in between.
    if (version !== this.#version) this.#remembered = new Map();
    this.#version = version;
    this.#heldSince = askedAt;
  }

  #forget(): void {
    this.#losses++;
    this.#heldSince = undefined;
    this.#version = null;
    this.#remembered = new Map();
  }
}

/** Resolves when the promise has settled, or after that time. */
async function settledWithin(timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  await atMost(timeoutMs, promise).catch(() => undefined);
}

function isFresh({ authority, readAt }: Remembered): boolean {
  return elapsedMs(readAt) < authority.freshSeconds * 1_000;
}
