import { sql } from 'slonik';
import { z } from 'zod';
import { scrapingRunSorts } from '../../../contract/fields/sorts.ts';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import { runStatuses } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/database.ts';
import { between, equals, equalsText } from '../../lists/list-filters.ts';
import { type ListQuery, orderBy, plainColumns } from '../../lists/list-query.ts';
import { type SearchedTexts, searchIndexed } from '../../lists/search.ts';
import { givenRows } from '../statements.ts';

/** Selects scraping runs. An absent field matches all. */
export type RunFilter = Partial<ParsedInputOf<'scrapingRuns.list'>>;

const runTexts: SearchedTexts = {
  table: sql.fragment`scraping_runs as searched`,
  id: sql.fragment`searched.run_id`,
  // The expression of scraping_runs_search_text_idx.
  text: sql.fragment`run_search_text(searched.run_id, searched.source)`,
};

/** Lists scraping runs, last started first. */
export function scrapingRunList(filter: RunFilter): ListQuery {
  const { run_id, source, status, q } = filter;
  return {
    columns: {
      ...plainColumns(['run_id', 'source', 'status']),
      started_at: { time: sql.fragment`started_at` },
      finished_at: { time: sql.fragment`finished_at` },
      ...plainColumns(['pages_succeeded', 'pages_failed', 'pages_blocked', 'items_scraped']),
      errors: sql.fragment`(
        select count(*) from scraping_errors where scraping_errors.run_id = scraping_runs.run_id
      )`,
    },
    source: sql.fragment`from scraping_runs`,
    tables: ['scraping_runs', 'scraping_errors'],
    filters: [...equalsText(sql.fragment`source`, source), ...equals(sql.fragment`status`, status)],
    times: between(sql.fragment`scraping_runs.started_at`, filter),
    search: searchIndexed(q, runTexts, sql.fragment`scraping_runs.run_id`),
    conditions: [run_id !== undefined && sql.fragment`scraping_runs.run_id = any(${idsIn(run_id)})`],
    order: orderBy(scrapingRunSorts, { started_at: sql.fragment`scraping_runs.started_at` }, filter),
    id: sql.fragment`scraping_runs.run_id`,
    maxTextBytes: sql.fragment`greatest(octet_length(run_id), octet_length(source))`,
  };
}

/** Returns the ids that a text separates by commas. One id may have commas itself. */
const idsIn = (text: string) => sql.array([...new Set([text, ...text.split(',')])], 'text');

/** A scraping run as its sender reports it. Times are ISO 8601. */
export type ScrapingRun = ParsedInputOf<'scrapingRuns.record'>[number];

const recordedRun = z.object({
  run_id: z.string(),
  source: z.string(),
  status: z.enum(runStatuses),
  is_new: z.boolean(),
});

const runTypes = {
  run_id: 'text',
  source: 'text',
  status: 'text',
  started_at: 'timestamptz',
  finished_at: 'timestamptz',
  pages_succeeded: 'int4',
  pages_failed: 'int4',
  pages_blocked: 'int4',
  items_scraped: 'int4',
};

/**
 * Inserts runs, each id at most once, and updates those that are still running: each count becomes the greater of both.
 * One that ends without a time ends now. A run that has ended stays as it is. One statement, ordered by id, so that batches
 * in opposite orders cannot deadlock.
 */
export async function upsertScrapingRuns(db: Database, runs: readonly ScrapingRun[]) {
  return await db.any(sql.type(recordedRun)`
    insert into scraping_runs as run (
      run_id, source, status, started_at, finished_at, pages_succeeded, pages_failed, pages_blocked, items_scraped
    )
    select run_id, source, status, coalesce(started_at, now()), finished_at, pages_succeeded, pages_failed,
      pages_blocked, items_scraped
    from ${givenRows(runs, runTypes)}
    order by run_id collate "C"
    on conflict (run_id) do update set
      status = excluded.status,
      -- If the sender gives no time, the excluded one is now.
      started_at = least(run.started_at, excluded.started_at),
      -- If the sender gives no time, a run that was under way has ended now.
      finished_at = case
        when excluded.status <> 'running'
        then coalesce(excluded.finished_at, greatest(now(), least(run.started_at, excluded.started_at)))
      end,
      pages_succeeded = greatest(run.pages_succeeded, excluded.pages_succeeded),
      pages_failed = greatest(run.pages_failed, excluded.pages_failed),
      pages_blocked = greatest(run.pages_blocked, excluded.pages_blocked),
      items_scraped = greatest(run.items_scraped, excluded.items_scraped)
    where run.status = 'running' and (
      excluded.status <> 'running' or excluded.started_at < run.started_at
      or excluded.pages_succeeded > run.pages_succeeded or excluded.pages_failed > run.pages_failed
      or excluded.pages_blocked > run.pages_blocked or excluded.items_scraped > run.items_scraped
    )
    -- xmax is set only on a row that existed before.
    returning run_id, source, status, xmax = 0 as is_new
  `);
}
