import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import { tokenAlertSchema } from '../../../contract/schemas/analytics.ts';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectedRows, givenRows } from '../statements.ts';

/** One request to a model. */
export type TokenUsageRecord = ParsedInputOf<'tokenUsage.record'>[number];

const recordTypes = {
  record_id: 'text',
  occurred_at: 'timestamptz',
  provider: 'text',
  model: 'text',
  input_tokens: 'int8',
  output_tokens: 'int8',
  cached_input_tokens: 'int8',
  succeeded: 'bool',
};

/**
 * Inserts the records with new ids, each at most once, and returns how many. One statement, ordered by id, so that
 * batches in opposite orders cannot deadlock.
 */
export async function insertTokenUsage(db: Database, records: readonly TokenUsageRecord[]): Promise<number> {
  return await affectedRows(db)`
    insert into token_usage_records
      (record_id, occurred_at, provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
    select record_id, coalesce(occurred_at, now()), provider, model, input_tokens, output_tokens,
      cached_input_tokens, succeeded
    from ${givenRows(records, recordTypes)}
    order by record_id collate "C"
    on conflict (record_id) do nothing
  `;
}

/** There are usually a handful of alerts per month. This limits the answer if a wrong rule created many. */
const maxAlerts = 100;

const listAlerts = (condition: FragmentSqlToken) => sql.fragment`
  select id, metric, model, period, threshold::float8 as threshold,
    round(limit_amount, 2)::text as "limit", round(current_amount, 2)::text as current, severity, status,
    ${isoTimestamp(sql.fragment`triggered_at`)} as "triggeredAt", message
  from token_alerts
  where ${condition}
  order by status <> 'firing', triggered_at desc, id desc
  limit ${maxAlerts}
`;

/** The alerts of all months as a query: firing ones first, then the newest. */
export const listedTokenAlerts = listAlerts(sql.fragment`true`);

/** Returns the alerts of all months: firing ones first, then the newest. */
export async function selectTokenAlerts(db: Database): Promise<readonly z.infer<typeof tokenAlertSchema>[]> {
  return await db.any(sql.type(tokenAlertSchema)`${listedTokenAlerts}`);
}

/** Returns the alerts of a month such as `2026-09`, in the same order. */
export async function selectTokenAlertsOf(db: Database, month: string) {
  return await db.any(sql.type(tokenAlertSchema)`${listAlerts(sql.fragment`period = ${month}`)}`);
}

const lockKey = sql.fragment`hashtext('backoffice'), hashtext('token_alerts')`;
const lockRow = z.object({ is_locked: z.boolean() });
const jobRow = z.object({ id: z.int().nullable() });

/**
 * Makes the next evaluation of the alerts wait until this transaction ends, so that none misses what another
 * transaction records. Call it before reading anything that the alerts depend on.
 */
export async function lockTokenAlerts(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(${lockKey})`);
}

/** Takes the same lock if it is free. Returns whether it was. */
export async function tryLockTokenAlerts(tx: Database): Promise<boolean> {
  return await tx.oneFirst(sql.type(lockRow)`select pg_try_advisory_xact_lock(${lockKey}) as is_locked`);
}

/**
 * Queues the job that evaluates the alerts after this transaction commits. Its key is a row of the queue that others
 * may have locked, so call this before `recordChanges` (see `wake_webhooks`). The named queue
 * runs one job at a time, so that only one waits for the lock of the alerts and occupies a connection.
 */
export async function queueTokenAlertJob(tx: Database): Promise<void> {
  let id: number | null = null;
  // add_job returns null if the job with the key is starting at this moment. The next attempt finds it started.
  while (id === null) {
    id = await tx.oneFirst(sql.type(jobRow)`
      select id from graphile_worker.add_job(
        'refresh_token_alerts', queue_name => 'token_alerts', job_key => 'token_alerts', max_attempts => 3
      )
    `);
  }
}
