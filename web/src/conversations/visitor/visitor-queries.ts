import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/data/client.ts';
import type { Conversation } from '../conversation-resource.ts';

const shownConversations = 20;

/** What is known of a visitor besides the conversation that is open. */
interface VisitorFacts {
  /** The latest conversations, the newest first. */
  readonly conversations: readonly Conversation[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  /** When the first conversation began. */
  readonly since: string | undefined;
}

/** The conversations of a visitor, who is known by the e-mail address. */
export function visitorQuery(email: string) {
  return queryOptions({
    queryKey: ['conversations', 'visitor', email],
    queryFn: async ({ signal }): Promise<VisitorFacts> => {
      const search = { visitor_email: email };
      const latest = await client.call(
        'conversations.list',
        { ...search, sort: '-created_at', limit: shownConversations },
        signal,
      );
      const hasMore = typeof latest.nextCursor === 'string';
      const first = hasMore
        ? await client.call('conversations.list', { ...search, sort: 'created_at', limit: 1 }, signal)
        : latest;
      return {
        conversations: latest.conversations,
        hasMore,
        since: first.conversations.at(-1)?.created_at,
      };
    },
  });
}
