import { getRouteApi } from '@tanstack/react-router';
import { use } from 'react';
import { useSession } from '../app/session/session.ts';
import { useGo } from '../kit/go.ts';
import type { Action } from '../kit/rows.ts';
import { changeRow } from '../kit/use-change.ts';
import { visitorOf } from './conversation-outside.ts';
import { type Conversation, conversations } from './conversation-resource.ts';
import { ConversationRows } from './conversation-rows.ts';

const route = getRouteApi('/signed-in/conversations');

/** Returns what can be done with a conversation of the list or with the open one, each by a key. */
export function useConversationActions(): readonly Action<Conversation>[] {
  const { id: me } = useSession().admin;
  const { id: open } = route.useSearch();
  const rows = use(ConversationRows);
  const go = useGo();
  const resolve = setting('status', 'resolved');
  return [
    {
      ...resolve,
      label: 'Resolve, go to the next',
      key: 'e',
      async run(row) {
        // It may have left the list once it is resolved.
        const index = rows.indexOf(row.id);
        const next = index === -1 ? undefined : (rows.at(index + 1) ?? rows.at(index - 1));
        await resolve.run(row);
        if (row.id === open) go({ id: next?.id, show: undefined });
      },
    },
    { ...setting('status', 'open'), label: 'Set to open', key: 'o' },
    { ...setting('status', 'pending'), label: 'Set to pending', key: 'p' },
    { ...setting('status', 'closed'), label: 'Set to closed', key: 'd' },
    { ...setting('assignee_id', me, 'assigned to you'), label: 'Assign to me', key: 'm' },
  ];
}

/** Returns an action that sets a field, and then says so. */
function setting(name: 'status' | 'assignee_id', value: string, words = value) {
  const seenOf = ({ status, assignee }: Conversation) =>
    name === 'status' ? status : (assignee?.id ?? null);
  return {
    unless: (row) => (seenOf(row) === value ? false : undefined),
    run(row) {
      const done = `The conversation with ${visitorOf(row)} is ${words}`;
      return changeRow(conversations, row.id, { [name]: value }, { [name]: seenOf(row) }, done);
    },
  } satisfies Partial<Action<Conversation>>;
}
