import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import type { AdminFilter } from './admin-search.ts';

export type Admin = OutputOf<'admins.list'>['admins'][number];
export type Invitation = OutputOf<'invitations.list'>['invitations'][number];

const adminsPerPage = 50;

/**
 * A page of the admins.
 *
 * @param withSignIn - whether to load what is known of their sign-ins, which not every role may see
 */
export function adminsQuery({ page = 1, ...filter }: AdminFilter, withSignIn: boolean) {
  const include = withSignIn ? 'sign_in' : undefined;
  return queryOptions({
    queryKey: ['admins', 'list', { page, ...filter }, include],
    queryFn: ({ signal }) =>
      client.call('admins.list', { page, ...filter, limit: adminsPerPage, include }, signal),
    placeholderData: keepPreviousData,
  });
}

/** One admin; null if there is none with that id. */
export function adminQuery(id: string) {
  return queryOptions({
    queryKey: ['admins', 'one', id],
    queryFn: async ({ signal }) => {
      const { admins } = await client.call('admins.list', { q: id, limit: 100 }, signal);
      return admins.find((admin) => admin.id === id) ?? null;
    },
  });
}

/** The invitations that nobody has accepted yet. */
export const invitationsQuery = queryOptions({
  queryKey: ['admins', 'invitations'],
  queryFn: async ({ signal }) => (await client.call('invitations.list', {}, signal)).invitations,
});

/** Loads everything of admins again. */
export async function reloadAdmins(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['admins'] });
}

/** Brings what is shown of admins up to date. */
export function receiveAdminEvent({ type }: EventOrGap): void {
  if (/^(admin|invitation|factor)\./.test(type) || type === 'session.started') void reloadAdmins();
}
