import { BackofficeError } from '../../contract/errors.ts';
import { tooManyFollowers } from '../../contract/operations/events.ts';
import { tailEvents } from '../../db/connection/event-tail.ts';
import type { PlainPool } from '../../db/connection/plain-pool.ts';
import { type StoredEvent, selectEventBounds, selectEvents } from '../../db/tables/events.ts';
import { type Actor, actorKey } from '../call/actor.ts';
import type { Log } from '../call/log.ts';
import { RecentEvents } from './recent-events.ts';

export interface EventLimits {
  /** Milliseconds in which every follower hears something, and its access is looked at again. */
  readonly heartbeatMs: number;
  /** Milliseconds that a follower may leave untouched what it was sent. */
  readonly stallTimeoutMs: number;
  /** How many may follow an instance at once, and how many of them for one actor. */
  readonly maxFollowers: number;
  readonly maxPerActor: number;
}

const defaultLimits: EventLimits = {
  heartbeatMs: 15_000,
  stallTimeoutMs: 20_000,
  maxFollowers: 500,
  maxPerActor: 20,
};

export interface EventHubOptions {
  readonly pool: PlainPool;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly limits?: Partial<EventLimits> | undefined;
}

/**
 * The latest events, read once for all who follow this instance. It keeps nothing for each of them: a follower is a
 * place among the ids, and asks for what comes after it at its own pace, so a slow one costs the others nothing.
 */
export class EventHub {
  readonly limits: EventLimits;
  readonly #options: EventHubOptions;
  readonly #waiting = new Set<() => void>();
  readonly #followers = new Set<{ readonly key: string }>();
  #opening: Promise<void> | undefined;
  #stopTail: (() => Promise<void>) | undefined;
  #recent = new RecentEvents(0);
  #epoch = 0;
  #live = false;
  #closed = false;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.limits = { ...defaultLimits, ...options.limits };
  }

  /** The id of the latest event that was read. */
  get position(): number {
    return this.#recent.position;
  }

  /** Rises when the database turns out to be behind what was read from it: it is another one, or was put back. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether events arrive while they happen; otherwise the database is away. */
  get live(): boolean {
    return this.#live;
  }

  /** Whether the instance stops. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Makes sure that it follows the table, which the first follower starts, and counts a follower of that actor until
   * the returned function is called.
   *
   * @throws BackofficeError `busy`, where as many follow as may, of all or of that actor
   */
  async addFollower(actor: Pick<Actor, 'kind' | 'id'>): Promise<() => void> {
    this.#opening ??= this.#start().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    await this.#opening;
    const follower = { key: actorKey(actor) };
    if (this.#closed || !this.#hasRoomFor(follower.key)) {
      throw new BackofficeError(tooManyFollowers, { retryAfter: 5 });
    }
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
    };
  }

  /** A page of the events after an id, from memory or from the table; none where there are none yet. */
  async eventsAfter(id: number): Promise<readonly StoredEvent[]> {
    return this.#recent.after(id) ?? (await selectEvents(this.#options.pool, id));
  }

  /** The lowest and the highest id of the events that are kept. */
  async bounds(): Promise<{ oldest: number; newest: number }> {
    return await selectEventBounds(this.#options.pool);
  }

  /** Resolves when something is new, after so many milliseconds, with the signal, and when the instance stops. */
  async waitForChange(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#closed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** Ends every follower's stream, and takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#opening?.catch(() => {});
    await this.#stopTail?.();
  }

  #hasRoomFor(actor: string): boolean {
    const own = [...this.#followers].filter(({ key }) => key === actor);
    return this.#followers.size < this.limits.maxFollowers && own.length < this.limits.maxPerActor;
  }

  async #start(): Promise<void> {
    const { databaseUrl, log } = this.#options;
    this.#recent = new RecentEvents((await this.bounds()).newest);
    if (this.#closed) return;
    const begun = Promise.withResolvers<void>();
    this.#stopTail = tailEvents({
      databaseUrl,
      position: () => this.position,
      onEvents: (events) => {
        this.#recent.append(events);
        this.#wake();
      },
      onReset: (newest) => {
        log.warn({ position: this.position, newest }, 'the database was put back');
        this.#epoch++;
        this.#recent = new RecentEvents(newest);
      },
      onLive: () => {
        this.#setLive(true);
        begun.resolve();
      },
      onLost: (err) => {
        log.warn({ err }, 'events cannot be followed');
        this.#setLive(false);
        begun.resolve();
      },
    });
    await begun.promise;
  }

  #setLive(live: boolean): void {
    if (live === this.#live) return;
    this.#live = live;
    this.#wake();
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
