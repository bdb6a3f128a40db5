import { getRouteApi } from '@tanstack/react-router';
import { use } from 'react';
import { useSession } from '../app/session/session.ts';
import { useGo } from '../kit/go.ts';
import type { Action } from '../kit/rows.ts';
import { type Conversation, type ConversationChange, conversations } from './conversation-resource.ts';
import { ConversationRows } from './conversation-rows.ts';

const route = getRouteApi('/signed-in/conversations');

/**
 * Returns what can be done with a conversation of the list or with the open one, each by a key.
 *
 * @param onLabel - asks for its labels
 */
export function useConversationActions(
  onLabel: (row: Conversation) => void,
): readonly Action<Conversation>[] {
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
    { label: 'Change the labels', key: 'l', run: onLabel },
  ];
}

/** Returns an action that sets a field, and then says so. */
function setting(name: 'status' | 'assignee_id', value: string, words = value) {
  const seenOf = ({ status, assignee }: Conversation) =>
    name === 'status' ? status : (assignee?.id ?? null);
  const change = (to: string | null) => ({ [name]: to }) as ConversationChange;
  return {
    unless: (row) => (seenOf(row) === value ? false : undefined),
    run: async (row) => await conversations.update?.(row.id, change(value), change(seenOf(row))),
    done: (row) => `The conversation with ${row.visitor_name || row.visitor_email} is ${words}`,
    undo: async (row) => await conversations.update?.(row.id, change(seenOf(row)), change(value)),
  } satisfies Partial<Action<Conversation>>;
}
