import { sql } from 'slonik';
import { z } from 'zod';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import { runStatuses } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/database.ts';
import { plainColumns } from '../../lists/list-query.ts';
import { isOlder, type NewestPage, selectNewest } from '../../lists/newest-page.ts';
import type { VersionedTable } from '../../lists/table-versions.ts';
import { givenRows } from '../statements.ts';
import type { ScrapingRun } from './scraping-runs.ts';

/** An error in a scraping run. */
export type ScrapingRunError = ScrapingRun['errors'][number] & { readonly run_id: string };

const errorsOfRun = z.object({
  run_id: z.string(),
  source: z.string(),
  status: z.enum(runStatuses),
  errors: z.int(),
});

const errorTypes = {
  run_id: 'text',
  error_id: 'text',
  url: 'text',
  code: 'text',
  http_status: 'int4',
  message: 'text',
  occurred_at: 'timestamptz',
};

/**
 * Inserts the errors that are new, by their id, or by their content if they have no id. Their runs must be locked by
 * this transaction. Returns the runs with new errors, and how many each has.
 */
export async function insertScrapingErrors(db: Database, errors: readonly ScrapingRunError[]) {
  return await db.any(sql.type(errorsOfRun)`
    with given as (
      select *, row_number() over () as position,
        case error_id
          when '' then 'content:' || encode(text_digest(
            jsonb_build_array(url, code, http_status, message, extract(epoch from occurred_at))::text
          ), 'hex')
          else 'id:' || error_id
        end as error_key
      from ${givenRows(errors, errorTypes)}
    ),
    added as (
      insert into scraping_errors (run_id, error_key, url, code, http_status, message, occurred_at)
      select run_id, error_key, url, code, http_status, message, coalesce(occurred_at, now())
      from given
      -- In the order in which they were sent: their ids keep it.
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

/** The tables that the errors of runs are read from. */
export const scrapingErrorTables: readonly VersionedTable[] = ['scraping_runs', 'scraping_errors'];

/** Reads the newest errors that the filter selects. */
export async function selectScrapingErrorPage(
  db: Database,
  { run_id, source, since, until, limit, cursor }: ParsedInputOf<'scrapingRuns.errors'>,
): Promise<NewestPage> {
  const conditions = [
    run_id !== undefined && sql.fragment`e.run_id = ${run_id}`,
    source !== undefined && sql.fragment`r.source = ${source}`,
    since !== undefined && sql.fragment`e.occurred_at >= ${since}::timestamptz`,
    until !== undefined && sql.fragment`e.occurred_at < ${until}::timestamptz`,
    isOlder(sql.fragment`e.occurred_at`, sql.fragment`e.id`, cursor),
  ];
  return await selectNewest(db, {
    // octet_length does not read the text.
    from: sql.fragment`
      select e.*, e.occurred_at as at, r.source, octet_length(e.message) + octet_length(e.url) as bytes
      from scraping_errors e
      join scraping_runs r using (run_id)
      where ${sql.and(conditions)}
    `,
    columns: {
      id: sql.fragment`latest.id`,
      runId: sql.fragment`latest.run_id`,
      ...plainColumns(['source', 'url', 'code'], 'latest'),
      httpStatus: sql.fragment`latest.http_status`,
      message: sql.fragment`latest.message`,
      occurredAt: { time: sql.fragment`latest.at` },
    },
    limit,
  });
}
