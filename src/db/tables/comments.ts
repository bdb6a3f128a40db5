import { sql } from 'slonik';
import { z } from 'zod';
import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../connection/database.ts';
import { plainColumns } from '../lists/list-query.ts';
import { isOlder, type NewestPage, selectNewest } from '../lists/newest-page.ts';
import { searchShort } from '../lists/search.ts';
import type { VersionedTable } from '../lists/table-versions.ts';
import { numberRow } from './statements.ts';

/** What comments are on: an issue or a conversation. The other one is null. */
export interface CommentSubject {
  readonly issue_id: number | null;
  readonly conversation_id: string | null;
}

/** Who wrote a comment. The fields after `id` are those of the time of writing. */
export interface CommentAuthor {
  readonly kind: string;
  /** The id of the account or token; null for an operator. */
  readonly id: string | null;
  readonly name: string;
  /** The admin's name; null for others. */
  readonly username: string | null;
}

/** The tables that comments are read from. */
export const commentTables: readonly VersionedTable[] = ['comments', 'admins'];

/** Reads the newest comments that the filter selects: a single one, or those on an issue or a conversation. */
export async function selectComments(
  db: Database,
  filter: Partial<ParsedInputOf<'comments.list'>> & { readonly limit: number },
): Promise<NewestPage> {
  const { id, issue_id, conversation_id, q, limit, cursor } = filter;
  const conditions = [
    searchShort(q, [sql.fragment`c.content`])?.condition ?? false,
    id !== undefined && sql.fragment`c.id = ${id}::bigint`,
    issue_id !== undefined && sql.fragment`c.issue_id = ${issue_id}::bigint`,
    conversation_id !== undefined && sql.fragment`c.conversation_id = ${conversation_id}`,
    isOlder(sql.fragment`c.created_at`, sql.fragment`c.id`, cursor),
  ];
  return await selectNewest(db, {
    // octet_length does not read the text.
    from: sql.fragment`
      select *, created_at as at, octet_length(content) as bytes from comments c where ${sql.and(conditions)}
    `,
    columns: {
      ...plainColumns(['id', 'issue_id', 'conversation_id'], 'latest'),
      author: sql.fragment`author.json`,
      content: sql.fragment`latest.content`,
      created_at: { time: sql.fragment`latest.created_at` },
      updated_at: { time: sql.fragment`latest.updated_at` },
    },
    joins: sql.fragment`
      left join admins a on latest.author_kind = 'admin' and a.id = latest.author_id
      left join lateral (
        select row_to_json(known) as json
        from (
          select
            case when latest.author_kind = 'admin' then latest.author_id end as id,
            case when latest.author_kind = 'admin' then coalesce(a.email, latest.author_name) end as email,
            coalesce(a.username, latest.author_username, latest.author_name) as username
        ) as known
        where latest.author_name is not null
      ) as author on true
    `,
    limit,
  });
}

/** Inserts a comment. Returns its id, or null if what it is on does not exist. */
export async function insertComment(
  tx: Database,
  { issue_id, conversation_id }: CommentSubject,
  { author, content }: { readonly author: CommentAuthor; readonly content: string },
): Promise<number | null> {
  // The lock keeps the subject from being deleted meanwhile, which would be an error of the foreign key.
  const subject =
    conversation_id === null
      ? sql.fragment`select from issues where id = ${issue_id}::bigint for key share`
      : sql.fragment`select from conversations where id = ${conversation_id} for key share`;
  return await tx.maybeOneFirst(sql.type(numberRow)`
    with subject as materialized (${subject})
    insert into comments
      (issue_id, conversation_id, author_kind, author_id, author_name, author_username, content)
    select
      ${issue_id}::bigint, ${conversation_id}, ${author.kind}, ${author.id}, ${author.name}, ${author.username}, ${content}
    from subject
    returning id
  `);
}

const storedComment = z.object({
  issue_id: z.int().nullable(),
  conversation_id: z.string().nullable(),
  author_kind: z.string().nullable(),
  author_id: z.string().nullable(),
  author_name: z.string().nullable(),
  content: z.string(),
});

export type StoredComment = z.infer<typeof storedComment>;

/** Returns the comment with the id, or null, and locks it until the transaction ends. */
export async function lockComment(tx: Database, id: number | null): Promise<StoredComment | null> {
  return await tx.maybeOne(sql.type(storedComment)`
    select issue_id, conversation_id, author_kind, author_id, author_name, content
    from comments where id = ${id}::bigint
    for update
  `);
}

/** Updates the text of a comment. */
export async function updateCommentContent(tx: Database, id: number | null, content: string): Promise<void> {
  await tx.query(sql.unsafe`update comments set content = ${content} where id = ${id}::bigint`);
}

/** Deletes a comment. */
export async function deleteCommentRow(tx: Database, id: number | null): Promise<void> {
  await tx.query(sql.unsafe`delete from comments where id = ${id}::bigint`);
}
