import { type BulkConnection, copyRows } from './bulk.ts';
import type {
  SeedConversation,
  SeedIssue,
  SeedMessage,
  SeedRun,
  SeedRunError,
  SeedUsage,
} from './seed-rows.ts';

/** Whether the tables are there. */
export async function hasTables(connection: BulkConnection): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    `select to_regclass('public.issues') is not null as found`,
  );
  return rows[0]?.found === true;
}

/** Whether there is an issue or a conversation already. */
export async function hasContent(connection: BulkConnection): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    'select exists (select 1 from issues) or exists (select 1 from conversations) as found',
  );
  return rows[0]?.found === true;
}

/** Adds issues, with ids in their order. The counters behind the charts follow by the triggers of the table. */
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

/** Adds conversations, which go before their messages. */
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

/** Adds messages, with ids in their order. */
export async function copyMessages(
  connection: BulkConnection,
  messages: Iterable<SeedMessage>,
): Promise<number> {
  const columns = ['conversation_id', 'sender_type', 'content', 'ai_draft', 'status', 'created_at'] as const;
  return await copyRows(connection, 'conversation_messages', columns, messages);
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
  const columns = ['run_id', 'url', 'code', 'http_status', 'message', 'occurred_at'] as const;
  return await copyRows(connection, 'scraping_errors', columns, errors);
}

/**
 * Adds settings, and leaves those alone that are there already.
 *
 * @returns how many were added
 */
export async function insertMissingSettings(
  connection: BulkConnection,
  settings: Readonly<Record<string, string>>,
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
