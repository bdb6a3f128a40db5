import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { client } from '../../app/data/client.ts';
import { queryClient } from '../../app/data/query-client.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { tellError } from '../../parts/tell.ts';
import { issueLinksQuery, type Link } from '../issue-queries.ts';

const shownConversations = 20;

/** The conversations that a text finds. */
export function foundConversationsQuery(q: string) {
  return queryOptions({
    queryKey: ['conversations', 'found', q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = q === '' ? {} : { q };
      return (await client.call('conversations.list', { ...found, limit: shownConversations }, signal))
        .conversations;
    },
  });
}

/** Links an issue to a conversation. */
export function useAddLink(id: number) {
  return useMutation({
    mutationFn: (conversation_id: string) => client.call('links.create', { issue_id: id, conversation_id }),
    onError: tellError,
    onSettled: () => reloadLinks(id),
  });
}

/** Removes the link of an issue, which can be undone. */
export function useRemoveLink(id: number) {
  return useMutation({
    mutationFn: (link: Link) => client.call('links.delete', endsOf(id, link)),
    onSuccess: (_done, link) =>
      offerUndo('Link removed', async () => {
        try {
          await client.call('links.create', endsOf(id, link));
          return 'Link restored.';
        } finally {
          void reloadLinks(id);
        }
      }),
    onError: tellError,
    onSettled: () => reloadLinks(id),
  });
}

function endsOf(issue_id: number, { conversation_id, scraping_error_id }: Link) {
  return conversation_id === null
    ? { issue_id, scraping_error_id: scraping_error_id ?? undefined }
    : { issue_id, conversation_id };
}

async function reloadLinks(id: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: issueLinksQuery(id).queryKey });
}
