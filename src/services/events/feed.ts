import type { EventGap } from '../../contract/events/envelope.ts';
import { mayKnow } from '../../contract/operations/events.ts';
import type { StoredEvent } from '../../db/outbox/events.ts';
import type { Actor } from '../call/actor.ts';
import type { Log } from '../call/observer.ts';
import type { EventHub, Follower } from './hub.ts';

/** An event, or the notice that events are missing: its JSON text, id and type. */
export interface StreamMessage {
  readonly id: number;
  readonly type: string;
  readonly json: string;
}

export interface FeedBatch {
  /** An empty batch is a heartbeat. */
  readonly messages: readonly StreamMessage[];
  /** The follower has received every event up to this id that it may receive, and can resume after it. */
  readonly position: number;
  /** Whether events arrive as they happen. If not, the database is unavailable, and they arrive when it is back. */
  readonly live: boolean;
}

interface EventFeedOptions {
  readonly hub: EventHub;
  /** Removed from the hub when the feed ends. */
  readonly follower: Follower;
  readonly log: Log;
  readonly actor: Actor;
  /** Reports whether the actor still has the access that it had at the start. */
  readonly hasAccess: () => Promise<boolean>;
  /** The types to send; undefined for all. */
  readonly types: readonly string[] | undefined;
  readonly position: number;
  /** The requested id, if the events after it are missing. */
  readonly gapAfter?: number;
}

/** The events that may change the access of their admin, session or token. */
const accessEvents = new Set(['admin.updated', 'admin.deleted', 'session.ended', 'token.revoked']);
/** The delay before a retry if the hub reaches the database and this feed does not. */
const retryDelayMs = 1_000;

/** An endless answer: events in order, without gaps, as fast as the follower takes them. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #position: number;
  #epoch: number;
  #live: boolean;
  /** When the next heartbeat and the next check of access are due. */
  #heartbeatAt: number;

  constructor(options: EventFeedOptions) {
    const { hub, position } = options;
    this.#options = options;
    this.#position = position;
    this.#epoch = hub.epoch;
    this.#live = hub.live;
    this.#heartbeatAt = performance.now() + hub.limits.heartbeatMs;
  }

  /** How long the follower may read nothing before it is disconnected. */
  get stallTimeoutMs(): number {
    return this.#options.hub.limits.stallTimeoutMs;
  }

  /**
   * Yields batches: the first one immediately, then at least one per heartbeat. Ends when the signal aborts, when the
   * actor loses its access, when the hub drops the follower, and when the service stops.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<FeedBatch, void> {
    const { hub, follower, gapAfter } = this.#options;
    try {
      yield this.#batch(gapAfter === undefined ? [] : [gap(gapAfter, this.#position)]);
      while (!signal.aborted && !follower.isDropped && !hub.closed) {
        if (this.#epoch !== hub.epoch) yield this.#restart();
        else if (this.#isUpToDate()) await hub.waitForChange(this.#heartbeatAt - performance.now(), signal);
        else {
          const batch = await this.#next(signal);
          if (batch === null) return;
          yield batch;
        }
      }
    } finally {
      hub.removeFollower(follower);
    }
  }

  #isUpToDate(): boolean {
    const { hub } = this.#options;
    return this.#position >= hub.position && this.#live === hub.live && performance.now() < this.#heartbeatAt;
  }

  /** Resolves with the next batch, or with null if the actor has lost its access. */
  async #next(signal: AbortSignal): Promise<FeedBatch | null> {
    const { hub, log } = this.#options;
    try {
      const events = await hub.eventsAfter(this.#position);
      if (!(await this.#checkAccess(events))) return null;
      this.#live = hub.live;
      this.#position = events.at(-1)?.id ?? this.#position;
      return this.#batch(events.filter(({ type }) => this.#wants(type)));
    } catch (err) {
      // Sends nothing while access cannot be checked. Nothing is lost by waiting.
      if (this.#live) log.warn({ err }, 'event stream paused, retrying');
      this.#live = false;
      await hub.waitForChange(hub.live ? retryDelayMs : hub.limits.heartbeatMs, signal);
      return this.#batch([]);
    }
  }

  /** Checks the access with each heartbeat, and when an event may have ended it. */
  async #checkAccess(events: readonly StoredEvent[]): Promise<boolean> {
    const { hub, actor, hasAccess } = this.#options;
    const isDue = performance.now() >= this.#heartbeatAt;
    if (!isDue && !events.some((event) => mayChangeAccess(event, actor))) return true;
    if (!(await hasAccess())) return false;
    this.#heartbeatAt = performance.now() + hub.limits.heartbeatMs;
    return true;
  }

  #wants(type: string): boolean {
    const { types, actor } = this.#options;
    return (types === undefined || types.includes(type)) && mayKnow(actor.role, type);
  }

  /** Continues after the newest event of a database that was replaced or restored. */
  #restart(): FeedBatch {
    const { hub } = this.#options;
    const previous = this.#position;
    this.#epoch = hub.epoch;
    this.#position = hub.position;
    return this.#batch([gap(previous, this.#position)]);
  }

  #batch(messages: readonly StreamMessage[]): FeedBatch {
    return { messages, position: this.#position, live: this.#live };
  }
}

function mayChangeAccess({ type, subject_id }: StoredEvent, { id, sessionKey, token }: Actor): boolean {
  if (!accessEvents.has(type) || subject_id === null) return false;
  return [id, sessionKey, token?.id.toString()].includes(subject_id);
}

function gap(asked: number, id: number): StreamMessage {
  const notice: EventGap = { id, type: 'gap', asked };
  return { ...notice, json: JSON.stringify(notice) };
}
