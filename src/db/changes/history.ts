import { sql } from 'slonik';
import { historySorts } from '../../contract/fields/sorts.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../connection/database.ts';
import { type ListQuery, orderBy, plainColumns } from '../lists/list-query.ts';
import { isOlder, type NewestPage, selectNewest } from '../lists/newest-page.ts';

/** Selects the history of an issue. */
type IssueHistoryFilter = Partial<ParsedInputOf<'issues.history'>> & { readonly id: number | null };

/** Lists what was changed of an issue, newest first. */
export function issueHistoryList(filter: IssueHistoryFilter): ListQuery {
  const { id } = filter;
  return {
    columns: {
      ...plainColumns(['change_id', 'field', 'before', 'after'], 'h'),
      actor: sql.fragment`change.actor_name`,
      door: sql.fragment`change.door`,
      at: { time: sql.fragment`h.created_at` },
    },
    source: sql.fragment`from issue_history h join changes change on change.id = h.change_id`,
    tables: ['issue_history', 'changes'],
    conditions: [sql.fragment`h.issue_id = ${id}::bigint`],
    order: orderBy(historySorts, { at: sql.fragment`h.created_at` }, filter),
    id: sql.fragment`h.id`,
    maxTextBytes: sql.fragment`greatest(octet_length(h.before), octet_length(h.after), 0)`,
  };
}

/** Selects the history of a conversation. */
type ConversationHistoryFilter = ParsedInputOf<'conversations.history'>;

/** Reads the newest entries of a conversation. It has few, so they are sorted without an index. */
export async function selectConversationHistory(
  db: Database,
  { id, limit, cursor }: ConversationHistoryFilter,
): Promise<NewestPage> {
  const isOnPage = sql.and([
    sql.fragment`h.conversation_id = ${id}`,
    isOlder(sql.fragment`h.created_at`, sql.fragment`h.id`, cursor),
  ]);
  return await selectNewest(db, {
    from: sql.fragment`
      select h.*, h.created_at as at, change.actor_name as actor, change.door, 0 as bytes
      from conversation_history h
      join changes change on change.id = h.change_id
      where ${isOnPage}
    `,
    columns: {
      ...plainColumns(['change_id', 'field', 'before', 'after', 'actor', 'door'], 'latest'),
      at: { time: sql.fragment`latest.at` },
      messages: sql.fragment`cardinality(latest.messages)`,
    },
    limit,
  });
}
