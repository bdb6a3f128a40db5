import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import {
  maxNames,
  otherNames,
  scrapingDaySchema,
  scrapingErrorSchema,
  scrapingSchema,
} from '../../contract/schemas/analytics.ts';
import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../timestamps.ts';
import type { MonthToDate } from './months.ts';

/** Contract 4.6: "the latest scraping errors, at most 20". */
const maxErrors = 20;

const runSummaries = z.object({
  /** The summary of all runs, even if there are none. */
  all: scrapingSchema.omit({ month: true, timezone: true, bySource: true }),
  /** The summary of each source, sorted by name. Those beyond the ones with the most runs are one. */
  bySource: scrapingSchema.shape.bySource,
});

/** The success rate counts runs that succeeded or failed. The average duration counts runs with a known end. */
const summaryColumns = sql.fragment`
  count(*) as "runs",
  count(*) filter (where status = 'succeeded') as "succeededRuns",
  count(*) filter (where status = 'failed') as "failedRuns",
  count(*) filter (where status = 'cancelled') as "cancelledRuns",
  coalesce(sum(pages_succeeded), 0) as "pagesSucceeded",
  coalesce(sum(pages_failed), 0) as "pagesFailed",
  coalesce(sum(pages_blocked), 0) as "pagesBlocked",
  coalesce(sum(items_scraped), 0) as "itemsScraped",
  round(
    avg((status = 'succeeded')::integer) filter (where status in ('succeeded', 'failed')), 4
  ) as "successRate",
  round(avg(extract(epoch from finished_at - started_at)) * 1000) as "avgDurationMs",
  ${isoTimestamp(sql.fragment`max(started_at)`)} as "lastRunAt"
`;

/** Returns a common table expression with the sources that have the most of some runs. */
function mostUsedSources(runs: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    most_used as materialized (
      select source ${runs} group by source order by count(*) desc, source collate "C" limit ${maxNames}
    )
  `;
}

/** The source that a run counts for. */
const shownSource = sql.fragment`
  case when source in (select source from most_used) then source else ${otherNames} end
`;

/** Returns the summaries of the runs that started in a month. */
export async function selectRunSummaries(db: Database, month: MonthToDate) {
  return await db.one(sql.type(runSummaries)`
    with runs as materialized (
      select * from scraping_runs
      where started_at >= ${month.starts_at}::timestamptz and started_at < ${month.ends_at}::timestamptz
    ),
    ${mostUsedSources(sql.fragment`from runs`)}
    select
      (select row_to_json(summary) from (select ${summaryColumns} from runs) as summary) as "all",
      (
        select coalesce(json_agg(summary order by source collate "C"), '[]')
        from (select ${shownSource} as source, ${summaryColumns} from runs group by 1) as summary
      ) as "bySource"
  `);
}

const daySummary = scrapingDaySchema
  .pick({ date: true, startsAt: true, endsAt: true })
  .extend(runSummaries.shape);

/** Returns the summaries of the runs that started on each day of a month. */
export async function selectRunSummariesByDay(db: Database, { dates, day_starts, ends_at }: MonthToDate) {
  const days = dates.map((date, index) => [
    date,
    day_starts[index] ?? null,
    day_starts[index + 1] ?? ends_at,
  ]);
  const runsOfDay = sql.fragment`from scraping_runs where started_at >= starts_at and started_at < ends_at`;
  const ofMonth = sql.fragment`
    from scraping_runs
    where started_at >= ${day_starts[0] ?? ends_at}::timestamptz and started_at < ${ends_at}::timestamptz
  `;
  return await db.any(sql.type(daySummary)`
    with ${mostUsedSources(ofMonth)}
    select
      date,
      ${isoTimestamp(sql.fragment`starts_at`)} as "startsAt",
      ${isoTimestamp(sql.fragment`ends_at`)} as "endsAt",
      (select row_to_json(summary) from (select ${summaryColumns} ${runsOfDay}) as summary) as "all",
      (
        select coalesce(json_agg(summary order by source collate "C"), '[]')
        from (select ${shownSource} as source, ${summaryColumns} ${runsOfDay} group by 1) as summary
      ) as "bySource"
    from ${sql.unnest(days, ['text', 'timestamptz', 'timestamptz'])} as day (date, starts_at, ends_at)
    order by date
  `);
}

/** Returns the newest errors of all runs, or those that occurred in a month. */
export async function selectScrapingErrors(db: Database, month?: MonthToDate) {
  return await db.any(sql.type(scrapingErrorSchema)`
    select e.id, e.run_id as "runId", r.source, e.url, e.code, e.http_status as "httpStatus", e.message,
      ${isoTimestamp(sql.fragment`e.occurred_at`)} as "occurredAt"
    from scraping_errors e
    join scraping_runs r using (run_id)
    where ${
      month === undefined
        ? sql.fragment`true`
        : sql.fragment`e.occurred_at >= ${month.starts_at}::timestamptz and e.occurred_at < ${month.ends_at}::timestamptz`
    }
    order by e.occurred_at desc, e.id desc
    limit ${maxErrors}
  `);
}
