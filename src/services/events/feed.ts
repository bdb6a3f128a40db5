import { type EventGap, mayKnow } from '../../contract/operations/events.ts';
import type { StoredEvent } from '../../db/tables/events.ts';
import type { Actor } from '../call/actor.ts';
import type { Log } from '../call/log.ts';
import type { EventHub } from './hub.ts';

/** An event, or what says that some are missing: the JSON text of the whole, and what it is filed under. */
export interface StreamMessage {
  readonly id: number;
  readonly type: string;
  readonly json: string;
}

/** What a follower gets at once. */
export interface FeedBatch {
  /** Perhaps nothing: then it only says that the feed is alive. */
  readonly messages: readonly StreamMessage[];
  /** Every event up to this id has been told that is to be: here the follower can resume. */
  readonly position: number;
  /** Whether events arrive while they happen; otherwise the database is away, and they come when it is back. */
  readonly live: boolean;
}

export interface EventFeedOptions {
  readonly hub: EventHub;
  /** Called when the feed ends: the hub counts it no longer. */
  readonly onEnd: () => void;
  readonly log: Log;
  readonly actor: Actor;
  /** Whether the actor still has the access that the feed began with. */
  readonly hasAccess: () => Promise<boolean>;
  /** Only these; without them all. */
  readonly types: readonly string[] | undefined;
  /** Where it begins. */
  readonly position: number;
  /** The id that was asked for, where it begins elsewhere. */
  readonly gapAfter?: number;
}

/** What may change the access of the admin, the session or the token that it happens to. */
const accessChanges = new Set(['admin.updated', 'admin.deleted', 'session.ended', 'token.revoked']);
/** Milliseconds until the next try, where the database answers the hub and not this. */
const retryPause = 1_000;

/** An answer without an end: events in their order, without a gap, and each when its follower has room for it. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #position: number;
  #epoch: number;
  #live: boolean;
  /** When the follower is to hear something, and its access to be looked at. */
  #due: number;

  constructor(options: EventFeedOptions) {
    const { hub, position } = options;
    this.#options = options;
    this.#position = position;
    this.#epoch = hub.epoch;
    this.#live = hub.live;
    this.#due = Date.now() + hub.limits.heartbeatMs;
  }

  /** Milliseconds that a follower may leave untouched what it was sent. */
  get stallTimeoutMs(): number {
    return this.#options.hub.limits.stallTimeoutMs;
  }

  /**
   * The portions: the first at once, and then at least one with each heartbeat. It ends with the signal, with the
   * actor's access, and when the service stops.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<FeedBatch, void> {
    const { hub, onEnd: leave, gapAfter } = this.#options;
    try {
      yield this.#portion(gapAfter === undefined ? [] : [gap(gapAfter, this.#position)]);
      while (!signal.aborted && !hub.closed) {
        if (this.#epoch !== hub.epoch) yield this.#startAnew();
        else if (this.#isUpToDate()) await hub.waitForChange(this.#due - Date.now(), signal);
        else {
          const portion = await this.#next(signal);
          if (portion === null) return;
          yield portion;
        }
      }
    } finally {
      leave();
    }
  }

  #isUpToDate(): boolean {
    const { hub } = this.#options;
    return this.#position >= hub.position && this.#live === hub.live && Date.now() < this.#due;
  }

  /** What comes next; null where the access has ended. */
  async #next(signal: AbortSignal): Promise<FeedBatch | null> {
    const { hub, log } = this.#options;
    try {
      const events = await hub.eventsAfter(this.#position);
      if (!(await this.#mayGoOn(events))) return null;
      this.#live = hub.live;
      this.#position = events.at(-1)?.id ?? this.#position;
      return this.#portion(events.filter(({ type }) => this.#wants(type)));
    } catch (err) {
      // Nothing is told while nobody can say who may know it, and nothing is lost by waiting.
      if (this.#live) log.warn({ err }, 'a follower of the events waits');
      this.#live = false;
      await hub.waitForChange(hub.live ? retryPause : hub.limits.heartbeatMs, signal);
      return this.#portion([]);
    }
  }

  /** Looks at the access when that is due, and when something happened that may have ended it. */
  async #mayGoOn(events: readonly StoredEvent[]): Promise<boolean> {
    const { hub, actor, hasAccess: mayGoOn } = this.#options;
    const isDue = Date.now() >= this.#due;
    if (!isDue && !events.some((event) => concerns(event, actor))) return true;
    if (!(await mayGoOn())) return false;
    this.#due = Date.now() + hub.limits.heartbeatMs;
    return true;
  }

  #wants(type: string): boolean {
    const { types, actor } = this.#options;
    return (types === undefined || types.includes(type)) && mayKnow(actor.role, type);
  }

  /** The database is no longer the one that was followed: what it has is told from its end on. */
  #startAnew(): FeedBatch {
    const { hub } = this.#options;
    const asked = this.#position;
    this.#epoch = hub.epoch;
    this.#position = hub.position;
    return this.#portion([gap(asked, this.#position)]);
  }

  #portion(told: readonly StreamMessage[]): FeedBatch {
    return { messages: told, position: this.#position, live: this.#live };
  }
}

function concerns({ type, subject_id }: StoredEvent, { id, sessionKey }: Actor): boolean {
  return accessChanges.has(type) && subject_id !== null && (subject_id === id || subject_id === sessionKey);
}

function gap(asked: number, id: number): StreamMessage {
  const said: EventGap = { id, type: 'gap', asked };
  return { ...said, json: JSON.stringify(said) };
}
