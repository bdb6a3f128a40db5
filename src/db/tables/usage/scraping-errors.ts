import { sql } from 'slonik';
import { z } from 'zod';
import { runStatuses } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/pool.ts';

/** An error in a scraping run. */
export interface ScrapingRunError {
  readonly run_id: string;
  /** The sender's id of the error, or empty. */
  readonly error_id: string;
  readonly url: string;
  readonly code: string;
  readonly http_status: number | null;
  readonly message: string;
  /** ISO 8601. Null means now. */
  readonly occurred_at: string | null;
}

const errorsOfRun = z.object({
  run_id: z.string(),
  source: z.string(),
  status: z.enum(runStatuses),
  errors: z.int(),
});

/**
 * Inserts the errors that are new, by their id, or by their content if they have no id. Their runs must exist and be
 * locked by this transaction.
 *
 * @returns the runs with new errors, and how many each has
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
