import { getRouteApi } from '@tanstack/react-router';
import type { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { useSession } from '../app/session/session.ts';
import type { Action } from '../kit/rows.ts';
import { type Conversation, conversations } from './conversation-resource.ts';
import { useNextConversation } from './conversation-rows.ts';

type Status = (typeof conversationStatuses)[number];

const route = getRouteApi('/signed-in/conversations');

const withWhom = ({ visitor_name: name, visitor_email: email }: Conversation) =>
  `The conversation with ${name || email}`;

function statusAction(status: Status, key: string, label: string, after?: (row: Conversation) => () => void) {
  return {
    label,
    key,
    unless: (row) => (row.status === status ? false : undefined),
    async run(row) {
      const goOn = after?.(row);
      await conversations.update?.(row.id, { status }, { status: row.status as Status });
      goOn?.();
    },
    done: (row) => `${withWhom(row)} is ${status}`,
    undo: async (row) => await conversations.update?.(row.id, { status: row.status as Status }, { status }),
  } satisfies Action<Conversation>;
}

/**
 * Returns what can be done with a conversation of the list or with the open one, each by a key.
 *
 * @param onLabel - asks for its labels
 */
export function useConversationActions(
  onLabel: (row: Conversation) => void,
): readonly Action<Conversation>[] {
  const { id: me } = useSession().admin;
  return [
    useResolveAction(),
    statusAction('open', 'o', 'Set to open'),
    statusAction('pending', 'p', 'Set to pending'),
    statusAction('closed', 'd', 'Set to closed'),
    {
      label: 'Assign to me',
      key: 'm',
      unless: ({ assignee }) => (assignee?.id === me ? false : undefined),
      run: ({ id, assignee }) =>
        conversations.update?.(id, { assignee_id: me }, { assignee_id: assignee?.id ?? null }),
      done: (row) => `${withWhom(row)} is assigned to you`,
      undo: async ({ id, assignee }) =>
        await conversations.update?.(id, { assignee_id: assignee?.id ?? null }, { assignee_id: me }),
    },
    { label: 'Change the labels', key: 'l', run: onLabel },
  ];
}

/** Returns the action that resolves a conversation; from the open one, it goes to the next one of the list. */
function useResolveAction(): Action<Conversation> {
  const { id: open } = route.useSearch();
  const nextOf = useNextConversation();
  return statusAction('resolved', 'e', 'Resolve, go to the next', ({ id }) =>
    id === open ? nextOf(id) : () => undefined,
  );
}
