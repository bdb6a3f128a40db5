import { useMutation } from '@tanstack/react-query';
import { client } from '../../app/data/client.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { tellError } from '../../parts/tell.ts';
import { reloadConversations } from '../conversation-queries.ts';
import type { SeenDraft } from '../reply/use-draft.ts';

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
    onSuccess: (_answer, seen) =>
      offerUndo('Proposed reply rejected', () => proposeAgain(conversationId, seen)),
    ...handlers,
  });
  return { approve, reject };
}

/** Takes back a rejection, unless somebody has proposed another reply since. */
async function proposeAgain(conversationId: string, { id, draft }: SeenDraft): Promise<void> {
  try {
    await client.call('messages.updateDraft', { id, ai_draft: draft, expected: { ai_draft: null } });
  } finally {
    await reloadConversations(conversationId);
  }
}
