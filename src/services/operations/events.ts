import { eventTypes } from '../../contract/event-types.ts';
import type { Event } from '../../contract/events/envelope.ts';
import { mayKnow, searchedEvents } from '../../contract/operations/events.ts';
import { selectLatestEvents } from '../../db/outbox/events.ts';
import { EventFeed } from '../events/feed.ts';
import type { HandlersOf } from './handler-types.ts';

export const eventHandlers = {
  'events.list': async ({ db, publisher, actor }, { limit, types = eventTypes }) => {
    // What was answered before is among them.
    await publisher.catchUp();
    const known = types.filter((type) => mayKnow(actor.role, type));
    const found = await selectLatestEvents(db, known, limit, searchedEvents);
    return { events: found.map((json) => JSON.parse(json) as Event) };
  },

  /** Starts after the requested id, or now. If events after that id are missing, the feed starts with a gap. */
  'events.follow': async ({ publisher, events: hub, actor, hasAccess, signal, log }, { types, after }) => {
    const follower = await hub.addFollower(actor);
    // What was answered before is not news.
    if (after === undefined) await publisher.catchUp();
    const { oldest, newest } = await hub.readBounds().catch((error: unknown) => {
      hub.removeFollower(follower);
      throw error;
    });
    // A caller that already received an error never follows, so it must not keep its place.
    if (signal.aborted) hub.removeFollower(follower);
    signal.throwIfAborted();
    const requested = after ?? newest;
    // The oldest events are deleted first: if the one before `oldest` was the last read, none are missing.
    const position = Math.max(oldest - 1, Math.min(requested, newest));
    const gap = position === requested ? {} : { gapAfter: requested };
    return new EventFeed({ hub, follower, log, actor, hasAccess, types, position, ...gap });
  },
} satisfies HandlersOf<'events'>;
