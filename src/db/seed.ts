import { sql } from 'slonik';
import type { issueStatuses } from '../contract/issues.ts';
import type { Database } from './pool.ts';

/** Rows are dated by their age, in minutes. */
export interface SeedIssue {
  readonly title: string;
  readonly category: string;
  readonly severity: string;
  readonly description: string;
  readonly steps_to_reproduce: string;
  readonly status: (typeof issueStatuses)[number];
  readonly age: number;
}

export interface SeedConversation {
  readonly id: string;
  readonly visitor_email: string;
  readonly visitor_name: string;
  readonly subject: string;
  readonly status: string;
  readonly age: number;
  /** The age of its latest message. */
  readonly updated_age: number;
}

export interface SeedMessage {
  readonly conversation_id: string;
  readonly sender_type: 'visitor' | 'admin';
  readonly content: string;
  readonly ai_draft: string | null;
  readonly status: 'sent' | 'read';
  readonly age: number;
}

/** Whether there is an issue or a conversation already. */
export async function hasContent(db: Database): Promise<boolean> {
  return await db.exists(sql.unsafe`select 1 from issues union all select 1 from conversations`);
}

const before = sql.fragment`now() - make_interval(mins => age)`;

/** Inserts issues of the given ages. */
export async function insertSeedIssues(tx: Database, issues: readonly SeedIssue[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into issues
      (title, category, severity, description, steps_to_reproduce, status, created_at, updated_at)
    select title, category, severity, description, steps_to_reproduce, status, ${before}, ${before}
    from jsonb_to_recordset(${sql.jsonb(issues)}) as seed (
      title text, category text, severity text, description text, steps_to_reproduce text, status text, age integer
    )
    order by age desc
  `);
}

/** Inserts conversations and then their messages, of the given ages. */
export async function insertSeedConversations(
  tx: Database,
  conversations: readonly SeedConversation[],
  messages: readonly SeedMessage[],
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into conversations (id, visitor_email, visitor_name, subject, status, created_at, updated_at)
    select id, visitor_email, visitor_name, subject, status, ${before}, now() - make_interval(mins => updated_age)
    from jsonb_to_recordset(${sql.jsonb(conversations)}) as seed (
      id text, visitor_email text, visitor_name text, subject text, status text, age integer, updated_age integer
    )
  `);
  await tx.query(sql.unsafe`
    insert into conversation_messages (conversation_id, sender_type, content, ai_draft, status, created_at)
    select conversation_id, sender_type, content, ai_draft, status, ${before}
    from jsonb_to_recordset(${sql.jsonb(messages)}) as seed (
      conversation_id text, sender_type text, content text, ai_draft text, status text, age integer
    )
    order by age desc
  `);
}

export interface SeedUsage {
  readonly provider: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly succeeded: boolean;
  readonly age: number;
}

/** Inserts records of token usage. */
export async function insertSeedUsage(tx: Database, records: readonly SeedUsage[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into token_usage_records
      (provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded, occurred_at)
    select provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded, ${before}
    from jsonb_to_recordset(${sql.jsonb(records)}) as seed (
      provider text, model text, input_tokens bigint, output_tokens bigint, cached_input_tokens bigint,
      succeeded boolean, age integer
    )
  `);
}

export interface SeedRun {
  readonly run_id: string;
  readonly source: string;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly pages_succeeded: number;
  readonly pages_failed: number;
  readonly pages_blocked: number;
  readonly items_scraped: number;
  readonly age: number;
  /** The errors of the run, at its end. */
  readonly errors: readonly { url: string; code: string; http_status: number | null; message: string }[];
}

/** Inserts scraping runs and their errors. */
export async function insertSeedRuns(tx: Database, runs: readonly SeedRun[]): Promise<void> {
  const seed = sql.fragment`
    jsonb_to_recordset(${sql.jsonb(runs)}) as seed (
      run_id text, source text, status text, seconds integer, pages_succeeded integer, pages_failed integer,
      pages_blocked integer, items_scraped integer, age integer, errors jsonb
    )
  `;
  await tx.query(sql.unsafe`
    with runs as (
      insert into scraping_runs (
        run_id, source, status, started_at, finished_at,
        pages_succeeded, pages_failed, pages_blocked, items_scraped
      )
      select run_id, source, status, ${before}, ${before} + make_interval(secs => seconds),
        pages_succeeded, pages_failed, pages_blocked, items_scraped
      from ${seed}
    )
    insert into scraping_errors (run_id, url, code, http_status, message, occurred_at)
    select run_id, error.url, error.code, error.http_status, error.message,
      ${before} + make_interval(secs => seconds)
    from ${seed}
    cross join lateral jsonb_to_recordset(errors) as error (url text, code text, http_status integer, message text)
  `);
}
