import type { Settings } from '../../contract/operations/settings.ts';
import { type BulkConnection, copyRows } from './bulk-copy.ts';
import type {
  SeedConversation,
  SeedIssue,
  SeedLink,
  SeedMessage,
  SeedRun,
  SeedRunError,
  SeedUsage,
} from './seed-rows.ts';

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
