import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Context } from '../call/context.ts';
import { EventFeed } from '../events/feed.ts';
import type { EventHub } from '../events/hub.ts';

/** Begins after the id that is asked for, or else now; after one that the table cannot tell of, with a gap. */
export async function followEvents(
  { events: hub, actor, mayGoOn, signal, log }: Context,
  { types, after }: ParsedInputOf<'events.follow'>,
): Promise<EventFeed> {
  const leave = await hub.open(actor);
  const { oldest, newest } = await boundsOf(hub, signal).catch((error: unknown) => {
    leave();
    throw error;
  });
  const asked = after ?? newest;
  const follower = { hub, leave, log, actor, mayGoOn, types };
  if (asked > newest) return new EventFeed({ ...follower, position: newest, gapAfter: asked });
  // Events are removed from the oldest on: where one of that id or below is kept, none after it is gone.
  if (asked < oldest - 1) return new EventFeed({ ...follower, position: oldest - 1, gapAfter: asked });
  return new EventFeed({ ...follower, position: asked });
}

async function boundsOf(hub: EventHub, signal: AbortSignal): Promise<{ oldest: number; newest: number }> {
  const bounds = await hub.bounds();
  // Whoever has been answered meanwhile does not follow, and would keep a place for good.
  signal.throwIfAborted();
  return bounds;
}
