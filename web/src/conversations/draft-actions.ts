import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { sentenceOf } from '../parts/failure.tsx';
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
    onError: (error: Error) =>
      notifications.show({ color: 'red', message: sentenceOf(error), role: 'alert' }),
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
