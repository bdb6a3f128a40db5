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
