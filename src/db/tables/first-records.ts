import { type FragmentSqlToken, sql } from 'slonik';
import type { z } from 'zod';
import { connected } from '../../contract/operations/connect.ts';
import type { Database } from '../connection/database.ts';

/**
 * Reports for each kind of record whether there is one besides the example data. Each stops at the first that it finds. No
 * example is a mail or from the contact page.
 *
 * A seed may make millions of issues, in batches of ascending ids, so it looks for an issue between two batches. One that
 * was reported while its batch was made is missed. Usage and runs of a seed are few.
 */
export async function selectFirstRecords(db: Database): Promise<z.infer<typeof connected>> {
  return await db.one(sql.type(connected)`
    select
      exists (select from conversations where channel = 'contact') as contact,
      exists (select from received_mails) as mail,
      exists (
        select from (
          select last, lead(first) over (order by first nulls first) as next
          from (
            select row_ids[1]::bigint as first, row_ids[cardinality(row_ids)]::bigint as last
            from example_data where table_name = 'issues'
            union all select null, null
          ) as batches
        ) as gaps
        where exists (
          select from issues where id > coalesce(last, 0) and id < coalesce(next, 9223372036854775807)
        )
      ) as issues,
      ${hasOwn('token_usage_records', 'record_id')} as usage,
      ${hasOwn('scraping_runs', 'run_id')} as scraping
  `);
}

const hasOwn = (table: string, key: string): FragmentSqlToken => sql.fragment`
  exists (
    select from ${sql.identifier([table])}
    where ${sql.identifier([key])} not in (select unnest(row_ids) from example_data where table_name = ${table})
  )
`;
