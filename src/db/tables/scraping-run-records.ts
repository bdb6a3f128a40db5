import { sql } from 'slonik';
import { z } from 'zod';
import { runStatuses } from '../../contract/vocabulary.ts';
import type { Database } from '../connection/pool.ts';

/** A run as far as its sender says; times are ISO 8601. */
export interface ScrapingRun {
  readonly run_id: string;
  readonly source: string;
  readonly status: (typeof runStatuses)[number];
  /** Null for now. */
  readonly started_at: string | null;
  /** Null where it is under way, and where its end is not known. */
  readonly finished_at: string | null;
  readonly pages_succeeded: number;
  readonly pages_failed: number;
  readonly pages_blocked: number;
  readonly items_scraped: number;
}

/** What went wrong in a run. */
export interface ScrapingRunError {
  readonly run_id: string;
  /** The sender's; empty where it gave none. */
  readonly error_id: string;
  readonly url: string;
  readonly code: string;
  readonly http_status: number | null;
  readonly message: string;
  /** ISO 8601; null for now. */
  readonly occurred_at: string | null;
}

const recordedRun = z.object({
  run_id: z.string(),
  source: z.string(),
  status: z.enum(runStatuses),
  is_new: z.boolean(),
});

/**
 * Adds runs, and brings those further that are under way: their counts grow to the greater of both. A run that has
 * ended stays as it is. One statement, ordered by id, so that opposed batches cannot deadlock.
 *
 * @param runs - no two of one id
 * @returns the runs that are new or got further
 */
export async function upsertScrapingRuns(
  db: Database,
  runs: readonly ScrapingRun[],
): Promise<readonly z.infer<typeof recordedRun>[]> {
  return await db.any(sql.type(recordedRun)`
    insert into scraping_runs as run (
      run_id, source, status, started_at, finished_at, pages_succeeded, pages_failed, pages_blocked, items_scraped
    )
    select run_id, source, status, coalesce(started_at, now()), finished_at, pages_succeeded, pages_failed,
      pages_blocked, items_scraped
    from ${sql.unnest(
      runs.map((run) => [
        run.run_id,
        run.source,
        run.status,
        run.started_at,
        run.finished_at,
        run.pages_succeeded,
        run.pages_failed,
        run.pages_blocked,
        run.items_scraped,
      ]),
      ['text', 'text', 'text', 'timestamptz', 'timestamptz', 'int4', 'int4', 'int4', 'int4'],
    )} as given (
      run_id, source, status, started_at, finished_at, pages_succeeded, pages_failed, pages_blocked, items_scraped
    )
    order by run_id collate "C"
    on conflict (run_id) do update set
      status = excluded.status,
      -- A delivery that does not say it has the time of now.
      started_at = least(run.started_at, excluded.started_at),
      finished_at = excluded.finished_at,
      pages_succeeded = greatest(run.pages_succeeded, excluded.pages_succeeded),
      pages_failed = greatest(run.pages_failed, excluded.pages_failed),
      pages_blocked = greatest(run.pages_blocked, excluded.pages_blocked),
      items_scraped = greatest(run.items_scraped, excluded.items_scraped)
    where run.status = 'running' and (
      excluded.status <> 'running' or excluded.started_at < run.started_at
      or excluded.pages_succeeded > run.pages_succeeded or excluded.pages_failed > run.pages_failed
      or excluded.pages_blocked > run.pages_blocked or excluded.items_scraped > run.items_scraped
    )
    -- Only a row that was there before has been locked.
    returning run_id, source, status, xmax = 0 as is_new
  `);
}

const errorsOfRun = z.object({
  run_id: z.string(),
  source: z.string(),
  status: z.enum(runStatuses),
  errors: z.int(),
});

/**
 * Adds the errors that are not known yet: those of another id, or without an id of other content. Their runs are there,
 * and locked by this transaction.
 *
 * @returns the runs that got errors, and how many
 */
export async function insertScrapingErrors(
  db: Database,
  errors: readonly ScrapingRunError[],
): Promise<readonly z.infer<typeof errorsOfRun>[]> {
  return await db.any(sql.type(errorsOfRun)`
    with given as (
      select *, row_number() over () as position,
        case error_id
          when '' then 'content:' || encode(text_digest(
            jsonb_build_array(url, code, http_status, message, extract(epoch from occurred_at))::text
          ), 'hex')
          else 'id:' || error_id
        end as error_key
      from ${sql.unnest(
        errors.map((error) => [
          error.run_id,
          error.error_id,
          error.url,
          error.code,
          error.http_status,
          error.message,
          error.occurred_at,
        ]),
        ['text', 'text', 'text', 'text', 'int4', 'text', 'timestamptz'],
      )} as given (run_id, error_id, url, code, http_status, message, occurred_at)
    ),
    added as (
      insert into scraping_errors (run_id, error_key, url, code, http_status, message, occurred_at)
      select run_id, error_key, url, code, http_status, message, coalesce(occurred_at, now())
      from given
      -- As they were sent: their ids stand for the order.
      order by position
      on conflict (run_id, error_key) do nothing
      returning run_id
    )
    select run_id, source, status, count(*) as errors
    from added
    join scraping_runs using (run_id)
    group by run_id, source, status
    order by run_id collate "C"
  `);
}
