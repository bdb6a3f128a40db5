import { queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { sessionQuery } from '../app/session/session.ts';

export type Factor = OutputOf<'factors.list'>['factors'][number];
export type OwnSession = OutputOf<'sessions.listOwn'>['sessions'][number];

/** One's own second factors. */
export const factorsQuery = queryOptions({
  queryKey: ['profile', 'factors'],
  queryFn: ({ signal }) => client.call('factors.list', {}, signal),
});

/** One's own sessions. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async ({ signal }) => (await client.call('sessions.listOwn', {}, signal)).sessions,
});

/** Loads everything of the profile again. */
export async function reloadProfile(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['profile'] });
}

/** Brings the profile up to date. Roles that get no events of sessions and factors see them when they return to the page. */
export function receiveProfileEvent({ type, ...event }: EventOrGap): void {
  if (/^(session|factor|recovery_code)/.test(type)) void reloadProfile();
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (type === 'admin.updated' && 'subject_id' in event && event.subject_id === session?.admin.id)
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
