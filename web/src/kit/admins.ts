import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';

/** How many admins are offered at once. More are found by typing. */
const shownAdmins = 50;

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
    queryFn: async ({ signal }): Promise<readonly Assignee[]> => {
      const found = q === '' ? {} : { q };
      const { admins } = await client.call(
        'admins.list',
        { ...found, limit: shownAdmins, sort: 'username' },
        signal,
      );
      return admins
        .filter((admin) => admin.is_active === 1)
        .map(({ id, email, username }) => ({ id, email, username }));
    },
  });
}
