import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { givenRows } from '../tables/statements.ts';
import type { MonthToDate } from './months.ts';
import { type Prices, pricedUsage, projected } from './token-costs.ts';

/** The condition under which an alert fires. */
export interface AlertRule {
  /** `cost`: the cost reaches the threshold. `projected_cost`: the cost will exceed it by the end of the month. */
  readonly metric: 'cost' | 'projected_cost';
  /** Null means all models together. */
  readonly model: string | null;
  /** The part of the limit, such as `0.8`. A decimal text, like the limit. */
  readonly threshold: string;
  readonly limit: string;
  readonly severity: string;
  readonly message: string;
}

const metrics: readonly AlertRule['metric'][] = ['cost', 'projected_cost'];

/** A projection from less than a day is meaningless. */
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

const ruleTypes = {
  metric: 'text',
  model: 'text',
  threshold: 'numeric',
  limit: 'numeric',
  severity: 'text',
  message: 'text',
};

/**
 * Evaluates the rules for a month. Raises the alert of each rule that is met, also if it was resolved before, and
 * resolves every other firing alert, including those of other months. Updates the amounts of alerts that keep firing.
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
      select * from ${givenRows(rules, ruleTypes)}
    ),
    spent_on as (
      -- The row without a model is for all models.
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
