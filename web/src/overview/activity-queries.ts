import { queryOptions } from '@tanstack/react-query';
import { type ActivityEvent, activityTypes } from '../../../src/contract/activity-types.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';

/** More than are shown: some say nothing, such as that somebody has read a message. */
const kept = 50;

/** The latest events, newest first. Those that arrive join them. */
export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }) => {
    const { events } = await client.call(
      'events.list',
      { limit: kept, types: activityTypes.join(',') },
      signal,
    );
    return events as readonly ActivityEvent[];
  },
  staleTime: Number.POSITIVE_INFINITY,
});

function isActivity(event: { readonly type: string }): event is ActivityEvent {
  return (activityTypes as readonly string[]).includes(event.type);
}

/** Puts an event before the latest ones. If they are loading, their answer may not have it. */
export function receiveActivityEvent(event: { readonly type: string; readonly id: number }): void {
  if (!isActivity(event)) return;
  if (queryClient.getQueryData(activityQuery.queryKey) === undefined)
    void queryClient.invalidateQueries({ queryKey: activityQuery.queryKey });
  queryClient.setQueryData(activityQuery.queryKey, (events) =>
    // An answer that was on its way may have it already.
    events?.some(({ id }) => id === event.id) ? events : events && [event, ...events].slice(0, kept),
  );
}
