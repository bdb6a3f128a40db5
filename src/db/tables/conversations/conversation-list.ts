import { type FragmentSqlToken, sql } from 'slonik';
import { conversationSorts } from '../../../contract/fields/sorts.ts';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import { unprepared } from '../../connection/statements.ts';
import { between, equals, equalsText, isOneOf } from '../../lists/list-filters.ts';
import { rememberQueries } from '../../lists/list-memo.ts';
import { type ListQuery, orderBy, plainColumns, readByMatches } from '../../lists/list-query.ts';
import { type Search, type SearchedTexts, searchIndexed } from '../../lists/search.ts';
import { type AssigneeFilter, assigneeColumn, assigneeTables } from '../assignees.ts';
import { labelColumn, labelCondition, labelSearch } from '../labels.ts';
import { isUnread, unreadMessages } from './messages.ts';

/** Selects conversations. An absent field matches all. */
export type ConversationFilter = Partial<Omit<ParsedInputOf<'conversations.list'>, 'assignee'>> &
  Pick<AssigneeFilter, 'assignee_id'>;

/** Maintained by triggers of the table. */
export const conversationTexts: SearchedTexts = {
  table: sql.fragment`conversation_search`,
  id: sql.fragment`conversation_search.conversation_id`,
  text: sql.fragment`conversation_search.text`,
};

const labelled = {
  table: sql.fragment`conversations`,
  id: sql.fragment`c.id`,
  labels: sql.fragment`c.labels`,
};

/**
 * The JSON text of a row that the conversation and its preview keep. Null if one of them does not, because its texts are
 * long.
 */
const keptText = sql.fragment`
  c.list_fields || case when newest.conversation_id is null then 'null,"last_message_at":null,"unread_count":0'
    else newest.content || newest.list_counts end || '}'
`;

/** Selects a column of the newest message `m`, if the preview `newest` does not hold its text. */
const longMessage = (column: FragmentSqlToken) => sql.fragment`
  select ${column} from conversation_messages m where newest.content is null and m.id = newest.message_id
`;

/**
 * Counts the conversations with unread messages. It reads the index of unread messages, which is small, instead of looking
 * each conversation up in it.
 */
function countUnread(conditions: readonly FragmentSqlToken[]): FragmentSqlToken {
  const found = sql.fragment`
    select m.conversation_id from conversation_messages m where ${isUnread} group by m.conversation_id
  `;
  return conditions.length === 0
    ? sql.fragment`select count(*) from (${found}) as found`
    : sql.fragment`select count(*) from conversations c where ${sql.and([...conditions, sql.fragment`c.id in (${found})`])}`;
}

/** Returns the conversations of a visitor, or undefined without an address. */
function visitorSearch(email: string | undefined): Search | undefined {
  if (email === undefined) return undefined;
  const given = sql.fragment`lower(btrim(${email}))`;
  return {
    condition: sql.fragment`c.id = any(array(
      select id from conversations
      where left(lower(btrim(visitor_email)), 100) = left(${given}, 100) and lower(btrim(visitor_email)) = ${given}
    ))`,
  };
}

/** Lists conversations with the computed fields of contract 4.4, last updated first. */
export const conversationList = rememberQueries((filter: ConversationFilter): ListQuery => {
  const { id, status, assignee_id, unread, q } = filter;
  const ofVisitor = visitorSearch(filter.visitor_email);
  const ofWords = searchIndexed(q, conversationTexts, labelled.id);
  const search = ofWords ?? ofVisitor ?? labelSearch(filter, labelled);
  const included = {
    ...assigneeColumn(sql.fragment`c.assignee_id`, filter),
    ...labelColumn(labelled.labels, filter),
    ...(filter.include?.includes('channel') === true ? plainColumns(['channel', 'page'], 'c') : {}),
  };
  const hasUnread = sql.fragment`exists (select ${unreadMessages(sql.fragment`c.id`)})`;
  const filters = [
    ...equalsText(sql.fragment`c.status`, status),
    ...equals(sql.fragment`c.assignee_id`, assignee_id),
  ];
  const times = between(sql.fragment`c.updated_at`, filter);
  const conditions = [
    id !== undefined && isOneOf(labelled.id, id, 'text'),
    unread === true && hasUnread,
    // What the search does not look for.
    ofWords !== undefined && (ofVisitor?.condition ?? false),
    (ofWords ?? ofVisitor) !== undefined && labelCondition(filter, labelled.labels),
  ];
  const counted = readByMatches({ filters, times, search, conditions });
  return {
    columns: {
      ...plainColumns(['id', 'visitor_email', 'visitor_name', 'subject', 'status'], 'c'),
      created_at: { time: sql.fragment`c.created_at` },
      updated_at: { time: sql.fragment`c.updated_at` },
      last_message: {
        json: sql.fragment`coalesce(newest.content, (${longMessage(sql.fragment`to_json(m.content)`)}))`,
      },
      last_message_at: { time: sql.fragment`newest.message_at` },
      unread_count: sql.fragment`coalesce(newest.unread_count, 0)`,
      ...included,
    },
    keptText: Object.keys(included).length > 0 ? undefined : keptText,
    source: sql.fragment`
      from conversations c
      left join conversation_previews newest on newest.conversation_id = c.id
    `,
    tables: ['conversations', 'conversation_messages', ...assigneeTables(filter)],
    filters,
    times,
    search,
    conditions,
    order: orderBy(
      conversationSorts,
      { updated_at: sql.fragment`c.updated_at`, created_at: sql.fragment`c.created_at` },
      filter,
    ),
    id: sql.fragment`c.id`,
    maxTextBytes: sql.fragment`greatest(
      octet_length(c.visitor_email), octet_length(c.visitor_name), octet_length(c.subject),
      (${longMessage(sql.fragment`octet_length(m.content)`)})
    )`,
    // Without the newest messages, which would be read for each conversation.
    totals: sql.unsafe`
      ${unprepared} select
        (select count(*) from conversations c where ${sql.and(counted)}) as total,
        (${countUnread(counted)}) as unread_total
    `,
  };
});
