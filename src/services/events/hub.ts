import { BackofficeError } from '../../contract/errors.ts';
import { tooManyFollowers } from '../../contract/operations/events.ts';
import type { Database } from '../../db/connection/database.ts';
import { tailEvents } from '../../db/outbox/event-tail.ts';
import { isFullPage, type StoredEvent, selectEventBounds, selectEvents } from '../../db/outbox/events.ts';
import type { EventReader } from '../../db/outbox/publisher.ts';
import { wait } from '../../shared/waiting.ts';
import { type Actor, actorKey } from '../call/actor.ts';
import type { Log } from '../call/observer.ts';

export interface EventLimits {
  /** How often every follower gets a batch, even an empty one, and has its access checked. */
  readonly heartbeatMs: number;
  /** How long a follower may read nothing before it is disconnected. */
  readonly stallTimeoutMs: number;
  /** Followers of this instance at once: those beyond `maxFollowers` are refused, the oldest beyond `maxPerActor` dropped. */
  readonly maxFollowers: number;
  readonly maxPerActor: number;
}

const defaultLimits: EventLimits = {
  heartbeatMs: 15_000,
  stallTimeoutMs: 20_000,
  maxFollowers: 500,
  maxPerActor: 20,
};

/** A place among the followers of this instance. */
export interface Follower {
  readonly actor: string;
  /** Whether a newer follower of the same actor has taken the place. */
  isDropped: boolean;
}

interface EventHubOptions {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly log: Log;
  /** Whether a process of the server is our own publisher, whose events `take` gets. */
  readonly isOwn: (processId: number) => boolean;
  readonly limits?: Partial<EventLimits> | undefined;
}

/**
 * Reads the latest events once for all followers of this instance. It keeps no queue per follower: a follower remembers
 * an event id and asks for the events after it at its own pace, so a slow follower costs the others nothing.
 */
export class EventHub {
  readonly limits: EventLimits;
  readonly #options: EventHubOptions;
  readonly #waiting = new Set<() => void>();
  readonly #followers = new Set<Follower>();
  #started: Promise<void> | undefined;
  #tail: ReturnType<typeof tailEvents> | undefined;
  #recent = new RecentEvents(0);
  /** Increases when the database has fewer events than were read from it: it was replaced or restored. */
  epoch = 0;
  /** Whether events arrive as they happen. If not, the database is unavailable. */
  live = false;
  /** Whether the instance is stopping. */
  closed = false;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.limits = { ...defaultLimits, ...options.limits };
  }

  /** The id of the latest event that was read. */
  get position(): number {
    return this.#recent.position;
  }

  get followers(): number {
    return this.#followers.size;
  }

  /**
   * Counts a follower until it is removed, and drops the actor's oldest if it has too many: nobody may be
   * there any more. An instance that is stopping counts none: each ends at once and connects to another
   * instance.
   */
  async addFollower(actor: Pick<Actor, 'kind' | 'id'>): Promise<Follower> {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    await this.#started;
    const follower = { actor: actorKey(actor), isDropped: false };
    if (this.closed) return follower;
    this.#dropOldestOf(follower.actor);
    if (this.#followers.size >= this.limits.maxFollowers) {
      throw new BackofficeError(tooManyFollowers, { retryAfter: 5 });
    }
    this.#followers.add(follower);
    return follower;
  }

  removeFollower(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** Returns a page of the events after an id, from memory or from the table; empty if there are none. */
  async eventsAfter(id: number): Promise<readonly StoredEvent[]> {
    return this.#recent.eventsAfter(id) ?? (await selectEvents(this.#options.db, id));
  }

  /** Returns the lowest and the highest id in the table. */
  async readBounds(): Promise<{ oldest: number; newest: number }> {
    return await selectEventBounds(this.#options.db);
  }

  /** Resolves on the next new event or change of `live`, after the timeout, on abort, or when the instance stops. */
  async waitForChange(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.closed) return;
    // Not AbortSignal.any: a follower's signal lives for hours and would collect one dependent signal per wait.
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake);
    await wait(timeoutMs, woken.signal);
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  /** The hub, while it reads events. The publisher of this process gives it those that it publishes. */
  get reader(): EventReader | undefined {
    return this.#tail === undefined || this.closed ? undefined : this;
  }

  /** Takes a page of the events after an id, some of which may be known already. */
  take(events: readonly StoredEvent[], after: number): void {
    // After a restore the hub starts again from an older event.
    if (after > this.position) return;
    const news = events.filter(({ id }) => id > this.position);
    if (news.length > 0) {
      this.#recent.append(news);
      this.#wakeAll();
    }
    if (isFullPage(events)) this.#tail?.read();
  }

  /** Ends every follower's stream. Streams that begin later end after their position. */
  async close(): Promise<void> {
    this.closed = true;
    this.#wakeAll();
    await this.#started?.catch(() => {});
    await this.#tail?.close();
  }

  #dropOldestOf(actor: string): void {
    const [oldest, ...others] = [...this.#followers].filter((follower) => follower.actor === actor);
    if (oldest === undefined || others.length + 1 < this.limits.maxPerActor) return;
    oldest.isDropped = true;
    this.#followers.delete(oldest);
    this.#wakeAll();
  }

  /** Resolves when the events are read for the first time, or cannot be read. */
  async #start(): Promise<void> {
    const { databaseUrl, log, isOwn } = this.#options;
    this.#recent = new RecentEvents((await this.readBounds()).newest);
    if (this.closed) return;
    const firstOutcome = Promise.withResolvers<void>();
    this.#tail = tailEvents({
      databaseUrl,
      reader: this,
      isOwn,
      onReset: (newest) => {
        log.warn({ position: this.position, newest }, 'the database was replaced or restored');
        this.epoch++;
        this.#recent = new RecentEvents(newest);
      },
      onLive: () => {
        this.#setLive(true);
        firstOutcome.resolve();
      },
      onLost: (err) => {
        log.warn({ err }, 'events unavailable, retrying');
        this.#setLive(false);
        firstOutcome.resolve();
      },
    });
    await firstOutcome.promise;
  }

  #setLive(live: boolean): void {
    if (live === this.live) return;
    this.live = live;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** The oldest events are dropped beyond this number of events, or of characters. */
const maxEvents = 1_000;
const maxCharacters = 1024 * 1024;

/** Keeps the latest events in memory: all events after some id, ordered by id. */
class RecentEvents {
  readonly #events: StoredEvent[] = [];
  #characters = 0;
  /** Events up to this id are not in memory. */
  #droppedUpTo: number;

  constructor(position: number) {
    this.#droppedUpTo = position;
  }

  get position(): number {
    return this.#events.at(-1)?.id ?? this.#droppedUpTo;
  }

  append(events: readonly StoredEvent[]): void {
    this.#events.push(...events);
    this.#characters += charactersOf(events);
    let dropped = 0;
    while (this.#events.length - dropped > maxEvents || this.#characters > maxCharacters) {
      this.#droppedUpTo = this.#events[dropped]?.id ?? this.#droppedUpTo;
      this.#characters -= charactersOf(this.#events.slice(dropped, ++dropped));
    }
    this.#events.splice(0, dropped);
  }

  /** Returns the events after an id, or undefined if some of them are not in memory. */
  eventsAfter(id: number): readonly StoredEvent[] | undefined {
    if (id < this.#droppedUpTo) return undefined;
    // Searches from the end: almost every follower is there.
    return this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1);
  }
}

function charactersOf(events: readonly StoredEvent[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0);
}
