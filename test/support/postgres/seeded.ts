import type { Client } from 'pg';
import { type CounterDifference, checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { connectDatabases } from '../../../src/db/replica/databases.ts';
import { type SeedOptions, type SeedResult, seed } from '../../../src/services/seed/index.ts';
import { createTestDatabase, type TestDatabase } from '../postgres.ts';
import { withClient } from './server.ts';

/** The end of the time that the seeded data covers. */
export const seedUntil = '2026-07-01T12:00:00.000Z';

/** The default options of a seed in tests. */
export const smallSeed: SeedOptions = {
  issues: 800,
  conversations: 150,
  messagesPerConversation: 5,
  randomSeed: 7,
  until: seedUntil,
  append: false,
  stop: new AbortController().signal,
  onProgress: () => {},
};

/** Seeds a new database, passes it to `use` and drops it. */
export async function withSeededDatabase<T>(
  options: Partial<SeedOptions>,
  use: (database: TestDatabase, made: SeedResult) => Promise<T>,
): Promise<T> {
  const database = await createTestDatabase();
  try {
    return await use(database, await seed(database.url, { ...smallSeed, ...options }));
  } finally {
    await database.drop();
  }
}

/** Runs a query on a connection of its own, on a database or at a URL. Returns the rows. */
export async function queryRows<Row extends object>(at: { url: string } | string, query: string) {
  const url = typeof at === 'string' ? at : at.url;
  return await withClient(url, async (client) => (await client.query<Row>(query)).rows);
}

const keys = {
  issues: 'id',
  conversations: 'id',
  conversation_messages: 'id',
  settings: 'setting_key',
  token_usage_records: 'record_id',
  scraping_runs: 'run_id',
  scraping_errors: 'id',
} as const;

/** Returns a checksum of all rows and columns of each seeded table. */
export async function checksums(database: { url: string }): Promise<Record<keyof typeof keys, string>> {
  const sums = Object.entries(keys).map(
    ([table, key]) =>
      `(select md5(string_agg(${table}::text, '|' order by ${key})) from ${table}) as ${table}`,
  );
  const [row] = await queryRows<Record<keyof typeof keys, string>>(database, `select ${sums.join(', ')}`);
  if (row === undefined) throw new Error('The query returned no row.');
  return row;
}

/** Returns the wrong counters of the charts. */
export async function wrongCounters(database: { url: string }): Promise<readonly CounterDifference[]> {
  const databases = connectDatabases({ databaseUrl: database.url });
  try {
    return await checkIssueCounters(databases.primary);
  } finally {
    await databases.close();
  }
}

export const periods = ['hourly', 'daily', 'weekly', 'monthly', 'everything'];

/**
 * Reads the aggregate of contract 4.1 from the counters, which is the answer, and from plain SQL over the table. Both are of
 * one statement, so of the same instant and the same snapshot.
 */
export async function readStatistics(client: Client, period: string) {
  const { rows } = await client.query<{ answer: unknown; truth: unknown }>(
    `
    with instant as (select statement_timestamp() as now),
    labelled as (
      select severity, case
        when created_at >= now - interval '1 hour' then 'Last Hour'
        when created_at >= now - interval '24 hours' then 'Last 24h'
        when created_at >= now - interval '168 hours' then 'Last 7 Days'
        else 'Older'
      end as label
      from issues, instant
      where case $1
        when 'hourly' then created_at >= now - interval '24 hours'
        when 'daily' then created_at >= now - interval '720 hours'
        when 'weekly' then created_at >= now - interval '2016 hours'
        when 'monthly' then created_at >= now - interval '8760 hours'
        else true
      end
    )
    select issue_statistics($1)::json as answer, json_build_object(
      'severityData', array(
        select json_build_object('period_label', label, 'severity', severity, 'count', count(*))
        from labelled group by label, severity order by label collate "C", severity collate "C"
      ),
      'severityTotals', array(
        select json_build_object('severity', severity, 'count', count(*))
        from issues group by severity order by severity collate "C"
      ),
      'statusCounts', array(
        select json_build_object('status', status, 'count', count(*))
        from issues group by status order by status collate "C"
      ),
      'categoryCounts', array(
        select json_build_object('category', category, 'count', count(*))
        from issues group by category order by category collate "C"
      ),
      'totalIssues', (select count(*) from issues)
    ) as truth
    `,
    [period],
  );
  return rows[0] ?? { answer: undefined, truth: undefined };
}
