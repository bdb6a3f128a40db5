import { sql } from 'slonik';
import { z } from 'zod';
import { tokenAlertSchema } from '../../contract/schemas/analytics.ts';
import type { MonthToDate } from '../analytics/months.ts';
import { type Prices, pricedUsage, projected } from '../analytics/token-costs.ts';
import type { Database } from '../connection/pool.ts';
import { isoTimestamp } from '../timestamps.ts';

/** Alerts are few, a handful per month; this bounds the answer where a wrong rule wrote many. */
const maxAlerts = 100;

/** The alerts of all months, the firing ones first, then the newest. */
export async function selectTokenAlerts(db: Database): Promise<readonly z.infer<typeof tokenAlertSchema>[]> {
  return await db.any(sql.type(tokenAlertSchema)`
    select id, metric, model, period, threshold::float8 as threshold,
      round(limit_amount, 2) as "limit", round(current_amount, 2) as current, severity, status,
      ${isoTimestamp(sql.fragment`triggered_at`)} as "triggeredAt", message
    from token_alerts
    order by status <> 'firing', triggered_at desc, id desc
    limit ${maxAlerts}
  `);
}

/** When an alert fires. */
export interface AlertRule {
  /** `cost`: what was spent reaches the part of the limit. `projected_cost`: it will exceed that by the month's end. */
  readonly metric: 'cost' | 'projected_cost';
  /** Null for all models together. */
  readonly model: string | null;
  /** A part of the limit, such as `0.8`; a decimal text, as is the limit. */
  readonly threshold: string;
  readonly limit: string;
  readonly severity: string;
  readonly message: string;
}

const metrics: readonly AlertRule['metric'][] = ['cost', 'projected_cost'];

/** A projection from less than a day says nothing. */
const minProjectionSeconds = 86_400;

const alertChange = z.object({
  event: z.enum(['token_alert.raised', 'token_alert.resolved']),
  is_new: z.boolean(),
  id: z.int(),
  metric: z.string(),
  model: z.string().nullable(),
  period: z.string(),
  threshold: z.number(),
  limit: z.string(),
  current: z.string(),
  severity: z.string(),
  message: z.string(),
});

const lockKey = sql.fragment`hashtext('backoffice'), hashtext('token_alerts')`;
const lockRow = z.object({ is_locked: z.boolean() });
const jobRow = z.object({ id: z.int().nullable() });

/**
 * Makes the next judging of alerts wait until this transaction ends, so that none misses what another records
 * meanwhile. To be called before anything is read that the alerts depend on.
 */
export async function lockTokenAlerts(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(${lockKey})`);
}

/** Does the same where nobody holds that lock. Returns whether nobody did. */
export async function tryLockTokenAlerts(tx: Database): Promise<boolean> {
  return await tx.oneFirst(sql.type(lockRow)`select pg_try_advisory_xact_lock(${lockKey}) as is_locked`);
}

/**
 * Queues the job that judges the alerts, for as soon as this transaction is committed. Its key is a row of the queue
 * that others may hold, so this comes before the lock of record_changes: see the migration of webhooks. Its queue lets
 * one at a time wait for the lock of the alerts, and with it hold a connection.
 */
export async function queueTokenAlertJob(tx: Database): Promise<void> {
  let id: number | null = null;
  // It adds none where the job of that key begins at this very moment; the next try finds that it has begun.
  while (id === null) {
    id = await tx.oneFirst(sql.type(jobRow)`
      select id from graphile_worker.add_job(
        'refresh_token_alerts', queue_name => 'token_alerts', job_key => 'token_alerts', max_attempts => 3
      )
    `);
  }
}

/**
 * Judges a month by the rules: raises the alert of each rule that is met, again where it was resolved, and resolves
 * every other alert that fires, those of other months among them. An alert that goes on firing gets the present
 * amounts.
 *
 * @returns the alerts that were raised or resolved
 */
export async function evaluateTokenAlerts(
  tx: Database,
  month: MonthToDate,
  prices: Prices,
  rules: readonly AlertRule[],
): Promise<readonly z.infer<typeof alertChange>[]> {
  return await tx.any(sql.type(alertChange)`
    with ${pricedUsage(month, prices)},
    rule (metric, model, threshold, limit_amount, severity, message) as (
      select * from ${sql.unnest(
        rules.map(({ metric, model, threshold, limit, severity, message }) => [
          metric,
          model,
          threshold,
          limit,
          severity,
          message,
        ]),
        ['text', 'text', 'numeric', 'numeric', 'text', 'text'],
      )} as given
    ),
    spent_on as (
      -- The row without a model is that of all.
      select model, sum(cost) as cost from priced group by grouping sets ((model), ())
    ),
    spent as (
      select rule.*, coalesce(spent_on.cost, 0) as cost
      from rule
      left join spent_on on spent_on.model is not distinct from rule.model
    ),
    met as (
      select metric, model, threshold, limit_amount, severity, message, cost as current_amount
      from spent
      where metric = 'cost' and cost >= threshold * limit_amount
      union all
      select metric, model, threshold, limit_amount, severity, message, ${projected(sql.fragment`cost`, month)}
      from spent
      where metric = 'projected_cost' and ${month.elapsed_seconds}::numeric >= ${minProjectionSeconds}
        and ${projected(sql.fragment`cost`, month)} > threshold * limit_amount
    ),
    before as materialized (
      select id, status from token_alerts where period = ${month.month}
    ),
    firing as (
      insert into token_alerts as alert
        (metric, model, period, threshold, limit_amount, current_amount, severity, message)
      select metric, model, ${month.month}, threshold, limit_amount, current_amount, severity, message
      from met
      on conflict on constraint token_alerts_once_key do update set
        limit_amount = excluded.limit_amount,
        current_amount = excluded.current_amount,
        severity = excluded.severity,
        message = excluded.message,
        status = 'firing',
        triggered_at = case when alert.status = 'firing' then alert.triggered_at else excluded.triggered_at end
      where (alert.status, alert.limit_amount, alert.current_amount, alert.severity, alert.message)
        is distinct from
        ('firing', excluded.limit_amount, excluded.current_amount, excluded.severity, excluded.message)
      returning *
    ),
    resolved as (
      update token_alerts as alert set status = 'resolved'
      where alert.status = 'firing' and alert.metric = any(${sql.array(metrics, 'text')})
        and not exists (
          select from met
          where alert.period = ${month.month} and met.metric = alert.metric
            and met.model is not distinct from alert.model and met.threshold = alert.threshold
        )
      returning *
    ),
    changed as (
      select 'token_alert.raised' as event, before.id is null as is_new, firing.*
      from firing
      left join before using (id)
      where before.status is distinct from 'firing'
      union all
      select 'token_alert.resolved', false, resolved.* from resolved
    )
    select event, is_new, id, metric, model, period, threshold::float8 as threshold,
      round(limit_amount, 2) as "limit", round(current_amount, 2) as current, severity, message
    from changed
    order by id
  `);
}
