import { sql } from 'slonik';
import type { Position } from '../../contract/schemas/lists.ts';
import type { runStatuses } from '../../contract/vocabulary.ts';
import { contains, type ListQuery } from '../lists/list-query.ts';
import { isoTimestamp } from '../timestamps.ts';

/** Which runs are asked for; what is absent does not matter. */
export interface RunFilter {
  readonly source?: string | undefined;
  readonly status?: (typeof runStatuses)[number] | undefined;
  /** Contained in the run's id or its source. */
  readonly q?: string | undefined;
  /** Bounds of `started_at`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only those after this place in the list. */
  readonly cursor?: Position<string> | undefined;
}

/** The runs, those that began last first. */
export function scrapingRunList({ source, status, q, since, until, cursor }: RunFilter): ListQuery {
  const conditions = [
    source !== undefined && sql.fragment`source = ${source}`,
    status !== undefined && sql.fragment`status = ${status}`,
    q !== undefined && contains([sql.fragment`run_id`, sql.fragment`source`], q),
    since !== undefined && sql.fragment`scraping_runs.started_at >= ${since}::timestamptz`,
    until !== undefined && sql.fragment`scraping_runs.started_at < ${until}::timestamptz`,
    cursor !== undefined &&
      sql.fragment`(scraping_runs.started_at, run_id) < (${cursor[0]}::timestamptz, ${cursor[1]})`,
  ];
  return {
    columns: sql.fragment`
      run_id, source, status,
      ${isoTimestamp(sql.fragment`started_at`)} as started_at,
      ${isoTimestamp(sql.fragment`finished_at`)} as finished_at,
      pages_succeeded, pages_failed, pages_blocked, items_scraped,
      (select count(*) from scraping_errors where scraping_errors.run_id = scraping_runs.run_id) as errors
    `,
    source: sql.fragment`from scraping_runs`,
    conditions,
    time: sql.fragment`scraping_runs.started_at`,
    id: sql.fragment`run_id`,
    maxTextBytes: sql.fragment`greatest(octet_length(run_id), octet_length(source))`,
  };
}
