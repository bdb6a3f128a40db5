import type { Client } from 'pg';

export const periods = ['hourly', 'daily', 'weekly', 'monthly', 'everything'];

/** The aggregate of contract 4.1, from the counters and from plain SQL over the table. */
export interface Statistics {
  answer: unknown;
  truth: unknown;
}

/** Reads both in one statement, so at the same instant and in the same snapshot. */
export async function readStatistics(client: Client, period: string): Promise<Statistics> {
  const { rows } = await client.query<Statistics>(
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
