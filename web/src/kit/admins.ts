import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { InputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';

/** How many admins are offered at once. More are found by typing. */
const shownAdmins = 100;

/** Who works on an issue or a conversation. */
export interface Assignee {
  readonly id: string;
  readonly email: string;
  readonly username: string;
}

/** Returns what an assignee is called. */
export function nameOf({ username, email }: Assignee): string {
  return username || email;
}

/** The active admins that a text finds. */
export function assigneesQuery(q: string) {
  return queryOptions({
    queryKey: ['assignees', q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => admins({ is_active: '1', ...(q !== '' && { q }) }, signal),
  });
}

/** The admin with an id, also one who is not active; null if there is none. */
export function adminQuery(id: string) {
  return queryOptions({
    queryKey: ['assignees', 'one', id],
    queryFn: async ({ signal }) => (await admins({ q: id }, signal)).find((admin) => admin.id === id) ?? null,
  });
}

async function admins(input: InputOf<'admins.list'>, signal: AbortSignal): Promise<readonly Assignee[]> {
  const all = { ...input, limit: shownAdmins, sort: 'username' } as const;
  return (await client.call('admins.list', all, signal)).admins;
}
