import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/data/client.ts';
import type { Conversation } from '../conversation-queries.ts';

const shownConversations = 20;
/** The longest search that the service takes. */
const maxSearchLength = 200;

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
      const search = { q: [...email].slice(0, maxSearchLength).join('') };
      const latest = await client.call(
        'conversations.list',
        { ...search, sort: '-created_at', limit: shownConversations },
        signal,
      );
      const hasMore = typeof latest.nextCursor === 'string';
      const first = hasMore
        ? await client.call('conversations.list', { ...search, sort: 'created_at', limit: 1 }, signal)
        : latest;
      // The search finds the address also inside of other texts.
      const isOfVisitor = (each: Conversation) => isSameAddress(each.visitor_email, email);
      return {
        conversations: latest.conversations.filter(isOfVisitor),
        hasMore,
        since: first.conversations.filter(isOfVisitor).at(-1)?.created_at,
      };
    },
  });
}

function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
