import type { Settings } from '../../contract/known-settings/settings.ts';
import { type BulkConnection, copyRows } from './bulk-copy.ts';
import type {
  SeedComment,
  SeedConversation,
  SeedIssue,
  SeedLink,
  SeedMessage,
  SeedRun,
  SeedRunError,
  SeedSavedReply,
  SeedUsage,
} from './seed-rows.ts';

/**
 * Reserves the database for this seed until the connection ends. Returns false if another seed has reserved it: the rows
 * of two would mix.
 */
export async function reserveForSeed(connection: BulkConnection): Promise<boolean> {
  const { rows } = await connection.query<{ reserved: boolean }>(
    `select pg_try_advisory_lock(hashtext('backoffice'), hashtext('seed')) as reserved`,
  );
  return rows[0]?.reserved === true;
}

/** Reports whether the tables exist. */
export async function hasTables(connection: BulkConnection): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    `select to_regclass('public.issues') is not null as found`,
  );
  return rows[0]?.found === true;
}

/** Reports whether there is any issue or conversation. */
export async function hasContent(connection: BulkConnection): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    'select exists (select 1 from issues) or exists (select 1 from conversations) as found',
  );
  return rows[0]?.found === true;
}

/** Adds issues, with ids in their order. The triggers of the table update the counters of the charts. */
export async function copyIssues(connection: BulkConnection, issues: Iterable<SeedIssue>): Promise<number> {
  const columns = [
    'title',
    'category',
    'severity',
    'description',
    'steps_to_reproduce',
    'status',
    'created_at',
    'updated_at',
  ] as const;
  return await copyRows(connection, 'issues', columns, issues);
}

/** Adds conversations. Call it before adding their messages. */
export async function copyConversations(
  connection: BulkConnection,
  conversations: Iterable<SeedConversation>,
): Promise<number> {
  const columns = [
    'id',
    'visitor_email',
    'visitor_name',
    'subject',
    'status',
    'created_at',
    'updated_at',
  ] as const;
  return await copyRows(connection, 'conversations', columns, conversations);
}

/** Reserves ids for messages, in ascending order, from the sequence of the table. */
export async function takeMessageIds(connection: BulkConnection, count: number): Promise<number[]> {
  const { rows } = await connection.query<{ id: string }>(
    `select nextval(pg_get_serial_sequence('conversation_messages', 'id')) as id from generate_series(1, $1)`,
    [count],
  );
  return rows.map(({ id }) => Number(id));
}

/** Adds messages. */
export async function copyMessages(
  connection: BulkConnection,
  messages: Iterable<SeedMessage>,
): Promise<number> {
  const columns = [
    'id',
    'conversation_id',
    'sender_type',
    'content',
    'ai_draft',
    'status',
    'created_at',
    'sent_by',
    'from_draft_of',
  ] as const;
  return await copyRows(connection, 'conversation_messages', columns, messages);
}

/**
 * Links some of the latest conversations to the first issue in the next 30 days that may be about the same problem.
 *
 * @returns how many links it added
 */
export async function linkIssues(
  connection: BulkConnection,
  links: readonly SeedLink[],
  by: string,
): Promise<number> {
  const { rowCount } = await connection.query(
    `insert into issue_links (issue_id, conversation_id, created_by, created_at)
     select issue.id, conversation.id, $3, issue.created_at
     from (select * from conversations order by updated_at desc, id desc limit 1000) as conversation
     join unnest($1::text[], $2::text[]) as pattern (subject, title) on conversation.subject like pattern.subject
     cross join lateral (
       select id, created_at from issues
       where title like pattern.title
         and created_at between conversation.created_at and conversation.created_at + interval '30 days'
       order by created_at, id
       limit 1
     ) as issue
     order by issue.created_at, conversation.id
     on conflict do nothing`,
    [links.map(({ subject }) => subject), links.map(({ title }) => title), by],
  );
  return rowCount ?? 0;
}

/**
 * Assigns two thirds of the newest open issues and conversations to the active admins, in turn.
 *
 * @returns how many it assigned, none if there is no admin
 */
export async function assignNewest(connection: BulkConnection): Promise<number> {
  const assigned = await connection.query(assignment('issues', 'created_at', ['Open', 'In Progress']));
  const answered = await connection.query(assignment('conversations', 'updated_at', ['open', 'pending']));
  return (assigned.rowCount ?? 0) + (answered.rowCount ?? 0);
}

const maxAssigned = 60;

function assignment(table: string, time: string, statuses: readonly string[]) {
  return {
    text: `
      with team as (
        select id, row_number() over (order by created_at, id) - 1 as place, count(*) over () as size
        from admins where is_active = 1
      ), newest as (
        select id, row_number() over (order by ${time} desc, id desc) as place
        from ${table} where status = any($1)
        order by ${time} desc, id desc
        limit ${maxAssigned}
      )
      update ${table} set assignee_id = team.id
      from newest join team on team.place = newest.place % team.size
      where ${table}.id = newest.id and newest.place % 3 <> 0`,
    values: [statuses],
  };
}

/**
 * Adds each comment to one of the newest open issues, or of the conversations that were updated last.
 *
 * @returns how many it added
 */
export async function addComments(
  connection: BulkConnection,
  { issues, conversations }: Readonly<Record<'issues' | 'conversations', readonly SeedComment[]>>,
): Promise<number> {
  const onIssues = `select id, updated_at, row_number() over (order by created_at desc, id desc) as place
    from issues where status in ('Open', 'In Progress') order by created_at desc, id desc limit 100`;
  const onConversations = `select id, updated_at, row_number() over (order by updated_at desc, id desc) as place
    from conversations order by updated_at desc, id desc limit 100`;
  const issueRows = await connection.query(commentsOn('issue_id', onIssues, issues));
  const conversationRows = await connection.query(
    commentsOn('conversation_id', onConversations, conversations),
  );
  return (issueRows.rowCount ?? 0) + (conversationRows.rowCount ?? 0);
}

function commentsOn(column: string, subjects: string, comments: readonly SeedComment[]) {
  return {
    text: `
      insert into comments (${column}, author_kind, author_name, author_username, content, created_at, updated_at)
      select subject.id, 'admin', comment.name, comment.username, comment.content, subject.updated_at, subject.updated_at
      from (${subjects}) as subject
      join unnest($1::text[], $2::text[], $3::text[]) with ordinality as comment (name, username, content, place)
        on comment.place = subject.place
      order by subject.place`,
    values: [
      comments.map(({ author_name }) => author_name),
      comments.map(({ author_username }) => author_username),
      comments.map(({ content }) => content),
    ],
  };
}

/**
 * Adds saved replies whose shortcuts are free.
 *
 * @returns how many it added
 */
export async function insertMissingSavedReplies(
  connection: BulkConnection,
  replies: readonly SeedSavedReply[],
): Promise<number> {
  const { rowCount } = await connection.query(
    `insert into saved_replies (shortcut, title, content)
     select shortcut, title, content from unnest($1::text[], $2::text[], $3::text[]) as reply (shortcut, title, content)
     on conflict do nothing`,
    [
      replies.map(({ shortcut }) => shortcut),
      replies.map(({ title }) => title),
      replies.map(({ content }) => content),
    ],
  );
  return rowCount ?? 0;
}

/** Adds records of token usage. */
export async function copyUsage(connection: BulkConnection, records: Iterable<SeedUsage>): Promise<number> {
  const columns = [
    'record_id',
    'occurred_at',
    'provider',
    'model',
    'input_tokens',
    'output_tokens',
    'cached_input_tokens',
    'succeeded',
    'created_at',
  ] as const;
  return await copyRows(connection, 'token_usage_records', columns, records);
}

/** Adds scraping runs. */
export async function copyRuns(connection: BulkConnection, runs: Iterable<SeedRun>): Promise<number> {
  const columns = [
    'run_id',
    'source',
    'status',
    'started_at',
    'finished_at',
    'pages_succeeded',
    'pages_failed',
    'pages_blocked',
    'items_scraped',
  ] as const;
  return await copyRows(connection, 'scraping_runs', columns, runs);
}

/** Adds errors of scraping runs. */
export async function copyRunErrors(
  connection: BulkConnection,
  errors: Iterable<SeedRunError>,
): Promise<number> {
  const columns = ['run_id', 'error_key', 'url', 'code', 'http_status', 'message', 'occurred_at'] as const;
  return await copyRows(connection, 'scraping_errors', columns, errors);
}

/**
 * Adds settings that do not exist yet.
 *
 * @returns how many it added
 */
export async function insertMissingSettings(
  connection: BulkConnection,
  settings: Settings,
  updatedAt: string,
): Promise<number> {
  const { rowCount } = await connection.query(
    `insert into settings (setting_key, setting_value, updated_at)
     select key, value, $3 from unnest($1::text[], $2::text[]) as missing (key, value)
     on conflict do nothing`,
    [Object.keys(settings), Object.values(settings), updatedAt],
  );
  return rowCount ?? 0;
}
