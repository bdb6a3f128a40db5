import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Backoffice } from './backoffice.ts';

export type HistoryEntry = OutputOf<'issues.history'>['history'][number];

/** Creates that many open issues by SQL. Returns their ids, in order. */
export async function createIssues({ sql }: Backoffice, count: number, title = 'Broken'): Promise<number[]> {
  const rows = await sql<{ id: string }>(
    'insert into issues (title) select $2 from generate_series(1, $1::integer) returning id',
    [count, title],
  );
  return rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
}

/** Returns how many of the issues have each status. */
export async function statusesOf(
  { sql }: Backoffice,
  ids: readonly number[],
): Promise<Record<string, number>> {
  const rows = await sql<{ status: string; count: number }>(
    'select status, count(*)::integer from issues where id = any($1) group by status',
    [ids],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Returns the whole history of an issue, newest first. */
export async function historyOf(backoffice: Backoffice, id: number): Promise<readonly HistoryEntry[]> {
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
