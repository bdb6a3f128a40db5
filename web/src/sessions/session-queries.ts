import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';

export type SessionOfAdmin = OutputOf<'sessions.list'>['sessions'][number];

/** The sessions of all admins, last used first. */
export function sessionsQuery(q: string | undefined) {
  return queryOptions({
    queryKey: ['sessions', 'list', q],
    queryFn: async ({ signal }) =>
      (await client.call('sessions.list', { q, include: 'origin' }, signal)).sessions,
    placeholderData: keepPreviousData,
  });
}

/** Loads the sessions again. */
export async function reloadSessions(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['sessions'] });
}

/** Brings what is shown of sessions up to date. */
export function receiveSessionEvent({ type }: EventOrGap): void {
  if (/^(session|admin)\./.test(type)) void reloadSessions();
}
