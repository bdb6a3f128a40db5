import { sql } from 'slonik';
import { z } from 'zod';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import type { Position } from '../../../contract/schemas/cursors.ts';
import type { Database } from '../../connection/database.ts';
import { shownColumns } from '../../lists/list-query.ts';
import { pageBytes } from '../../lists/newest-page.ts';
import { searchShort } from '../../lists/search.ts';
import type { VersionedTable } from '../../lists/table-versions.ts';
import { exactTimestamp, isoTimestamp } from '../../timestamps.ts';
import { linkedIssues } from '../links.ts';
import { conversationList } from './conversation-list.ts';
import { deliveryOf } from './message-deliveries.ts';

const threadRow = z.object({ part: z.enum(['conversation', 'issue', 'message', 'next']), json: z.string() });
const position = z.tuple([z.string(), z.int()]);

/** Which messages of a thread to read, and what to add to its conversation. */
export type ThreadPage = Partial<ParsedInputOf<'messages.list'>> & { readonly limit: number };

const tables: readonly VersionedTable[] = [
  'conversations',
  'conversation_messages',
  'issue_links',
  'issues',
  'admins',
];

/** Returns the tables that a thread is read from. */
export const threadTables = ({ include }: Pick<ThreadPage, 'include'>): readonly VersionedTable[] =>
  include?.includes('delivery') ? [...tables, 'message_deliveries'] : tables;

/** A page of a thread. The texts are JSON made by Postgres. */
export interface ThreadRows {
  /** A row of the list of conversations, or undefined if there is no conversation with the id. */
  readonly conversation: string | undefined;
  /** Oldest first. Fewer than the limit if they are long, but at least one. */
  readonly messages: readonly string[];
  /** Newest link first, at most 100. */
  readonly issues: readonly string[];
  /** The position of the oldest message, if there are older ones. */
  readonly next: Position<number> | null;
}

/**
 * Reads a conversation and its newest messages. One statement, so that the count of unread messages matches the
 * messages.
 */
export async function selectThread(
  db: Database,
  conversationId: string,
  { limit, cursor, q, include }: ThreadPage,
): Promise<ThreadRows> {
  const search = searchShort(q, [sql.fragment`m.content`, sql.fragment`m.ai_draft`]);
  const ofConversation = include?.filter((field) => field !== 'delivery' && field !== 'attachments');
  const { columns, source, conditions } = conversationList({ id: [conversationId], include: ofConversation });
  const delivery = include?.includes('delivery')
    ? sql.fragment`, (${deliveryOf(sql.fragment`page.id`)}) as delivery`
    : sql.fragment``;
  const older =
    cursor === undefined
      ? sql.fragment`true`
      : sql.fragment`(m.created_at, m.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::bigint)`;
  const attachments = include?.includes('attachments')
    ? sql.fragment`, (select r.attachments from received_mails r where r.message_id = page.id) as attachments,
        (select r.quoted_from from received_mails r where r.message_id = page.id) as quoted_from`
    : sql.fragment``;
  const rows = await db.any(sql.type(threadRow)`
    with latest as (
      select *
      from conversation_messages m
      where m.conversation_id = ${conversationId} and ${older} and ${search?.condition ?? sql.fragment`true`}
      order by m.created_at desc, m.id desc
      limit ${limit + 1}
    ), newest as materialized (
      select m.*,
        row_number() over newest_first as place,
        -- The size of the newer messages. octet_length does not read the text.
        sum(octet_length(m.content) + coalesce(octet_length(m.ai_draft), 0)) over newest_first
          - octet_length(m.content) - coalesce(octet_length(m.ai_draft), 0) as bytes_before
      from latest m
      window newest_first as (order by m.created_at desc, m.id desc rows unbounded preceding)
    ), page as (
      select * from newest where place <= ${limit} and bytes_before < ${pageBytes}
    ), message as (
      select id, conversation_id, sender_type, content, ai_draft, status,
        ${isoTimestamp(sql.fragment`created_at`)} as created_at, sent_by, from_draft_of
        ${delivery} ${attachments}
      from page
      order by place desc
    ), oldest as (
      select ${exactTimestamp(sql.fragment`created_at`)} as at, id
      from page
      where place = (select max(place) from page) and exists (select from newest where place > page.place)
    )
    select 'conversation' as part, row_to_json(found)::text as json
    from (select ${shownColumns(columns)} ${source} where ${sql.and(conditions)}) as found
    union all
    select 'issue', row_to_json(issue)::text from (${linkedIssues(conversationId)}) as issue
    union all
    select 'message', row_to_json(message)::text from message
    union all
    select 'next', json_build_array(at, id)::text from oldest
  `);
  const textsOf = (part: string) => rows.filter((row) => row.part === part).map(({ json }) => json);
  const [next] = textsOf('next');
  return {
    conversation: textsOf('conversation')[0],
    messages: textsOf('message'),
    issues: textsOf('issue'),
    next: next === undefined ? null : position.parse(JSON.parse(next)),
  };
}
