import { expect } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Backoffice } from '../here.ts';

/** Creates that many open issues by SQL. Returns their ids, in order. */
export async function createIssues({ sql }: Backoffice, count: number, title = 'Broken'): Promise<number[]> {
  const rows = await sql<{ id: string }>(
    'insert into issues (title) select $2 from generate_series(1, $1::integer) returning id',
    [count, title],
  );
  return rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
}

/** Returns how many of the issues have each status. */
export async function statusesOf({ sql }: Backoffice, ids: readonly number[]) {
  const rows = await sql<{ status: string; count: number }>(
    'select status, count(*)::integer from issues where id = any($1) group by status',
    [ids],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Returns the whole history of an issue, newest first. */
export async function historyOf(backoffice: Backoffice, id: number) {
  return (await backoffice.superadmin.client.call('issues.history', { id })).history;
}

/**
 * Replays the history of open issues that `createIssues` created: each entry must begin where the previous one ended, and
 * the last must give the present value. Returns what does not add up.
 */
export async function brokenHistoriesOf({ sql }: Backoffice): Promise<object[]> {
  return await sql(`
    with value (issue_id, field, present, at_creation) as (
      select id, field, present, at_creation
      from issues
      cross join lateral (
        values ('status', status, 'Open'), ('severity', severity, 'Low'), ('category', category, 'Other')
      ) as column_of (field, present, at_creation)
    ), step as (
      select value.*, h.id as history_id, h.before, h.after,
        lag(h.after, 1, at_creation) over steps as expected,
        lead(h.id) over steps is null as is_last
      from value
      left join issue_history h using (issue_id, field)
      window steps as (partition by value.issue_id, value.field order by h.id)
    )
    select * from step
    where case
      when history_id is null then present <> at_creation
      else before <> expected or before = after or is_last and after <> present
    end
  `);
}

export type Thread = OutputOf<'messages.list'>;

/** Creates a conversation with messages of the visitor. Returns its id and the ids of the messages. */
export async function createConversation(backoffice: Backoffice, ...messages: readonly string[]) {
  const { client } = backoffice.superadmin;
  const { conversation } = await client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada Byron',
    subject: 'An invoice',
  });
  const { id } = conversation;
  const ids: number[] = [];
  for (const content of messages) {
    const message = { conversation_id: id, content, sender_type: 'visitor' } as const;
    ids.push((await client.call('messages.create', message)).id);
  }
  return { id, messages: ids };
}

/** Returns the latest messages of a conversation and the fields beside them. */
export async function threadOf(backoffice: Backoffice, conversation_id: string): Promise<Thread> {
  return await backoffice.superadmin.client.call('messages.list', { conversation_id });
}

/** Returns the audit records of an operation, or those about one subject, oldest first. */
export async function auditRecordsOf({ sql }: Backoffice, operation: string, subject?: string | number) {
  return await sql<{ event: string; subject_id: string; before: object | null; after: object | null }>(
    `select event, subject_id, before, after from audit_records
     where operation = $1 and subject_id is not distinct from coalesce($2, subject_id) order by id`,
    [operation, subject === undefined ? null : String(subject)],
  );
}

/** Runs a statement without triggers, which would for example end sessions. */
export async function sqlWithoutTriggers(
  { sql }: Pick<Backoffice, 'sql'>,
  statement: string,
  values?: unknown[],
): Promise<void> {
  await sql('set session_replication_role = replica');
  await sql(statement, values);
  await sql('reset session_replication_role');
}

/** The lists with search, time bounds and pages. */
export type ListName = 'issues' | 'conversations';

/** The fields that the rows of all lists have. */
interface Row {
  readonly id: string | number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Requests one page of a list. Parameters that are null are left out. The cursor is undefined if the answer has none. */
export async function fetchPage(
  { api }: Pick<Backoffice, 'api'>,
  name: ListName,
  parameters: Readonly<Record<string, string | number | null>> = {},
) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) if (value !== null) query.append(key, `${value}`);
  const { status, body } = await api.get(`/${name}?${query}`);
  expect(body).not.toHaveProperty('error');
  expect(status).toBe(200);
  const { [name]: rows, nextCursor } = body as Record<string, unknown>;
  return { rows: rows as Row[], nextCursor: nextCursor as string | null | undefined };
}

/** Returns the ids of the matching rows, in the order of the list. */
export async function idsOf(...parameters: Parameters<typeof fetchPage>): Promise<(string | number)[]> {
  return (await fetchPage(...parameters)).rows.map(({ id }) => id);
}

/** Returns the rows of all pages, in order, by following nextCursor. */
export async function fetchAllPages(
  backoffice: Pick<Backoffice, 'api'>,
  name: ListName,
  parameters: Readonly<Record<string, string | number>>,
): Promise<Row[]> {
  const { rows, nextCursor: cursor } = await fetchPage(backoffice, name, parameters);
  if (typeof cursor !== 'string') return [...rows];
  if (cursor === parameters.cursor) throw new Error(`The page after ${cursor} is the same.`);
  return [...rows, ...(await fetchAllPages(backoffice, name, { ...parameters, cursor }))];
}

const svgText =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><circle cx="4" cy="4" r="4" fill="#c2255c"/></svg>';

/** A picture that would run a script if it were a page. */
export const svg = `data:image/svg+xml;base64,${Buffer.from(svgText).toString('base64')}`;

/** A picture of one pixel. */
export const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
