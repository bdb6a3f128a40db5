import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';

/** One request to a model. */
export interface TokenUsageRecord {
  readonly record_id: string;
  /** ISO 8601. Null means now. */
  readonly occurred_at: string | null;
  readonly provider: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly succeeded: boolean;
}

const countRow = z.object({ count: z.int() });

/**
 * Inserts the records with new ids in one statement, ordered by id, so that batches in opposite orders cannot deadlock.
 *
 * @param records - each id at most once
 * @returns how many it inserted
 */
export async function insertTokenUsage(db: Database, records: readonly TokenUsageRecord[]): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    with added as (
      insert into token_usage_records
        (record_id, occurred_at, provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
      select record_id, coalesce(occurred_at, now()), provider, model, input_tokens, output_tokens,
        cached_input_tokens, succeeded
      from ${sql.unnest(
        records.map((record) => [
          record.record_id,
          record.occurred_at,
          record.provider,
          record.model,
          record.input_tokens,
          record.output_tokens,
          record.cached_input_tokens,
          record.succeeded,
        ]),
        ['text', 'timestamptz', 'text', 'text', 'int8', 'int8', 'int8', 'bool'],
      )} as given
        (record_id, occurred_at, provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
      order by record_id collate "C"
      on conflict (record_id) do nothing
      returning 1
    )
    select count(*) from added
  `);
}
