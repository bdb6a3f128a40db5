import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { creationSorts } from '../../contract/fields/sorts.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../connection/database.ts';
import { between, equals } from '../lists/list-filters.ts';
import { type ListQuery, orderBy } from '../lists/list-query.ts';
import { type JoinedTexts, searchJoined } from '../lists/search.ts';
import { conversationTexts } from './conversations/conversation-list.ts';
import { issueTexts } from './issues.ts';
import { affectsRow } from './statements.ts';

const linkTexts = [
  sql.fragment`'#' || i.id::text`,
  sql.fragment`i.title`,
  sql.fragment`c.id`,
  sql.fragment`c.subject`,
  sql.fragment`e.message`,
];

const joinedTexts: readonly JoinedTexts[] = [
  { ...issueTexts, key: sql.fragment`l.issue_id` },
  { ...conversationTexts, key: sql.fragment`l.conversation_id` },
  {
    table: sql.fragment`scraping_errors`,
    id: sql.fragment`scraping_errors.id`,
    // The expression of scraping_errors_search_text_idx.
    text: sql.fragment`error_search_text(scraping_errors.message)`,
    key: sql.fragment`l.scraping_error_id`,
  },
];

/** Lists the links of issues, newest first. */
export function linkList(filter: Partial<ParsedInputOf<'links.list'>>): ListQuery {
  const { issue_id, conversation_id, scraping_error_id, q } = filter;
  const filters = [
    ...equals(sql.fragment`l.issue_id`, issue_id, 'int8'),
    ...equals(sql.fragment`l.conversation_id`, conversation_id),
    ...equals(sql.fragment`l.scraping_error_id`, scraping_error_id, 'int8'),
  ];
  return {
    columns: {
      issue_id: sql.fragment`l.issue_id`,
      issue_title: sql.fragment`i.title`,
      issue_status: sql.fragment`i.status`,
      conversation_id: sql.fragment`l.conversation_id`,
      conversation_subject: sql.fragment`c.subject`,
      scraping_error_id: sql.fragment`l.scraping_error_id`,
      scraping_error_message: sql.fragment`e.message`,
      created_at: { time: sql.fragment`l.created_at` },
      created_by: sql.fragment`l.created_by`,
    },
    source: sql.fragment`
      from issue_links l
      join issues i on i.id = l.issue_id
      left join conversations c on c.id = l.conversation_id
      left join scraping_errors e on e.id = l.scraping_error_id
    `,
    tables: ['issue_links', 'issues', 'conversations', 'scraping_errors'],
    filters,
    times: between(sql.fragment`l.created_at`, filter),
    search: searchJoined(q, linkTexts, joinedTexts),
    conditions: [],
    order: orderBy(creationSorts, { created_at: sql.fragment`l.created_at` }, filter),
    id: sql.fragment`l.id`,
    maxTextBytes: sql.fragment`greatest(octet_length(i.title), octet_length(c.subject), octet_length(e.message))`,
  };
}

/** More than a conversation usually has. The list of links has all of them. */
const maxLinkedIssues = 100;

/** Selects the issues that a conversation is linked to, newest link first, at most 100. */
export function linkedIssues(conversationId: string): FragmentSqlToken {
  return sql.fragment`
    select i.id, i.title, i.status, i.severity
    from issue_links l
    join issues i on i.id = l.issue_id
    where l.conversation_id = ${conversationId}
    order by l.created_at desc, l.id desc
    limit ${maxLinkedIssues}
  `;
}

/** Reports whether the row exists, and keeps it from being deleted until the transaction ends. */
export async function lockKey(
  db: Database,
  table: 'issues' | 'conversations' | 'scraping_errors',
  id: number | string | null,
): Promise<boolean> {
  return await affectsRow(db)`select from ${sql.identifier([table])} where id = ${id} for key share`;
}

/** What an issue is linked to: a conversation or a scraping error. The other one is null. */
const target = z.object({ conversation_id: z.string().nullable(), scraping_error_id: z.int().nullable() });
const linkRow = target.extend({ issue_id: z.int() });

export type LinkTarget = z.infer<typeof target>;
export type Link = z.infer<typeof linkRow>;

/** Inserts a link between existing rows. Returns false if the link already exists. */
export async function insertLink(db: Database, link: Link, createdBy: string): Promise<boolean> {
  const { issue_id, conversation_id, scraping_error_id } = link;
  return await affectsRow(db)`
      insert into issue_links (issue_id, conversation_id, scraping_error_id, created_by)
      values (${issue_id}, ${conversation_id}, ${scraping_error_id}::bigint, ${createdBy})
      on conflict do nothing
    `;
}

/** Deletes the links of a target, or only those to one issue, and returns them. */
export async function deleteLinks(
  db: Database,
  { conversation_id, scraping_error_id }: LinkTarget,
  issueId?: number | null,
): Promise<readonly Link[]> {
  const ofIssue = issueId === undefined ? sql.fragment`true` : sql.fragment`issue_id = ${issueId}::bigint`;
  const ofTarget = sql.fragment`
    (conversation_id = ${conversation_id} or scraping_error_id = ${scraping_error_id}::bigint)
  `;
  return await deleteLinksWhere(db, sql.fragment`${ofTarget} and ${ofIssue}`);
}

/** Deletes the links of conversations, and returns them. */
export async function deleteLinksOfConversations(db: Database, ids: readonly string[]) {
  return await deleteLinksWhere(db, sql.fragment`conversation_id = any(${sql.array([...ids], 'text')})`);
}

/** Deletes the links of issues. Returns how many it deleted. */
export async function deleteLinksOfIssues(db: Database, issueIds: readonly number[]): Promise<number> {
  const isOfIssues = sql.fragment`issue_id = any(${sql.array([...issueIds], 'int8')})`;
  return (await deleteLinksWhere(db, isOfIssues)).length;
}

/** Locks the links in the order of their ids, so that two transactions cannot deadlock. */
async function deleteLinksWhere(db: Database, condition: FragmentSqlToken): Promise<readonly Link[]> {
  return await db.any(sql.type(linkRow)`
    with link as materialized (select id from issue_links where ${condition} order by id for update)
    delete from issue_links using link where issue_links.id = link.id
    returning issue_id, conversation_id, scraping_error_id
  `);
}
