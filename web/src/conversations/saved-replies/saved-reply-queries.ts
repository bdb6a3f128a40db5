import { queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { client } from '../../app/data/client.ts';
import { reload } from '../../app/data/reload.ts';

export type SavedReply = OutputOf<'savedReplies.list'>['saved_replies'][number];

/** All saved replies, by shortcut. There are at most 1,000. */
export const savedRepliesQuery = queryOptions({
  queryKey: ['saved-replies'],
  queryFn: async ({ signal }): Promise<readonly SavedReply[]> =>
    (await client.call('savedReplies.list', {}, signal)).saved_replies,
});

/** Loads the saved replies again. */
export async function reloadSavedReplies(): Promise<void> {
  await reload(savedRepliesQuery.queryKey);
}

/** Brings what is shown of saved replies up to date. */
export function receiveSavedReplyEvent(event: EventOrGap): void {
  if (event.type.startsWith('saved_reply.')) void reloadSavedReplies();
}
