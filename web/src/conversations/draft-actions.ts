import { useMutation } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { tellError } from '../parts/tell.ts';
import { reloadConversations } from './conversation-queries.ts';

/** A proposed reply, as it was on the screen. */
interface SeenDraft {
  /** The id of the visitor's message. */
  readonly id: number;
  readonly draft: string;
}

/** Sends or rejects proposed replies, if they are still what was on the screen. */
export function useDraftActions(conversationId: string) {
  const handlers = {
    onError: tellError,
    onSettled: () => reloadConversations(conversationId),
  };
  const approve = useMutation({
    mutationFn: ({ id, draft }: SeenDraft) =>
      client.call('messages.create', {
        approve: id,
        conversation_id: conversationId,
        expected: { ai_draft: draft },
      }),
    ...handlers,
  });
  const reject = useMutation({
    mutationFn: ({ id, draft }: SeenDraft) =>
      client.call('messages.updateDraft', { id, ai_draft: null, expected: { ai_draft: draft } }),
    ...handlers,
  });
  return { approve, reject };
}
