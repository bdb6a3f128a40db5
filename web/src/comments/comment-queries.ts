import { infiniteQueryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers } from '../app/data/receivers.ts';
import { reloadSoon } from '../app/data/reload.ts';

const commentsPerPage = 50;

/** What comments are on. */
export type CommentSubject = { readonly issue_id: number } | { readonly conversation_id: string };

export type Comment = OutputOf<'comments.list'>['comments'][number];

/** The comments on an issue or a conversation; the first page has the newest ones, and the last page the oldest. */
export function commentsQuery(subject: CommentSubject) {
  return infiniteQueryOptions({
    queryKey: ['comments', subject],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('comments.list', { ...subject, limit: commentsPerPage, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Loads the comments on something again. */
export async function reloadComments(subject: CommentSubject): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['comments', subject] });
}

receivers.add((event) => {
  if (
    event.type !== 'comment.created' &&
    event.type !== 'comment.updated' &&
    event.type !== 'comment.deleted'
  )
    return;
  const { issue_id, conversation_id } = event.data;
  if (issue_id !== null) reloadSoon(['comments', { issue_id }]);
  if (conversation_id !== null) reloadSoon(['comments', { conversation_id }]);
});
