import type { Settings } from '../../contract/known-settings/settings.ts';
import {
  currencyOf,
  pricesIn,
  readBudgets,
  usageKeys,
} from '../../contract/known-settings/token-settings.ts';
import { type AlertRule, evaluateTokenAlerts } from '../../db/analytics/evaluate-token-alerts.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import {
  lockTokenAlerts,
  queueTokenAlertJob,
  tryLockTokenAlerts,
} from '../../db/tables/usage/token-usage.ts';
import { serviceActor } from '../call/actor.ts';
import { changesOf, type RecordChange } from '../call/changes.ts';
import { readMonth } from './calendar.ts';

/** The audit entry of a refresh that no request caused. */
const refresh = {
  id: 'tokenAlerts.refresh',
  changes: ['token_alert.raised', 'token_alert.resolved'],
} as const;

/**
 * Raises and resolves token alerts as of now. Ingestion and changes of settings already do so. A job does it on a
 * schedule, because time alone changes alerts too: a new month starts, a projection falls.
 */
export async function refreshTokenAlerts({ databases }: { readonly databases: Databases }): Promise<void> {
  await changesOf(databases.primary, serviceActor, refresh)(updateTokenAlerts);
}

/** Raises and resolves token alerts in the transaction that changed what they depend on. */
export async function updateTokenAlerts(tx: Database, record: RecordChange, now?: Date): Promise<void> {
  await lockTokenAlerts(tx);
  await evaluate(tx, record, now);
}

/**
 * Does the same as `updateTokenAlerts` if no other transaction is updating the alerts. Otherwise queues a job that runs
 * after the commit, so that concurrent ingestion does not wait.
 */
export async function updateOrQueueTokenAlerts(tx: Database, record: RecordChange): Promise<void> {
  await ((await tryLockTokenAlerts(tx)) ? evaluate(tx, record) : queueTokenAlertJob(tx));
}

async function evaluate(tx: Database, record: RecordChange, now?: Date): Promise<void> {
  const settings = await selectSettings(tx, usageKeys);
  const month = await readMonth(tx, settings, now);
  const rules = rulesOf(settings, month.month);
  for (const change of await evaluateTokenAlerts(tx, month, pricesIn(settings, month.month), rules)) {
    const { event, is_new, id, ...alert } = change;
    const [previous, status] =
      event === 'token_alert.raised' ? (['resolved', 'firing'] as const) : (['firing', 'resolved'] as const);
    const before = is_new ? undefined : { status: previous };
    record({ event, id, before, after: { ...alert, status } });
  }
}

/** The shares of a budget that raise an alert when the cost reaches them. */
const thresholds = [
  { threshold: '0.5', percent: '50 %', severity: 'info' },
  { threshold: '0.8', percent: '80 %', severity: 'warning' },
  { threshold: '1', percent: '100 %', severity: 'critical' },
] as const;

function rulesOf(settings: Settings, month: string): AlertRule[] {
  const { total, models } = readBudgets(settings).value;
  const budgets: [model: string | null, limit: string][] = [
    ...(total === undefined ? [] : [[null, total] as [null, string]]),
    ...models,
  ];
  const currency = currencyOf(settings);
  return budgets.flatMap(([model, limit]) => {
    const cost = `The cost of ${model === null ? '' : `${model} in `}${month}`;
    const budget = `its budget of ${withCents(limit)} ${currency}`;
    return [
      ...thresholds.map(
        ({ threshold, percent, severity }): AlertRule => ({
          metric: 'cost',
          model,
          threshold,
          limit,
          severity,
          message: `${cost} has reached ${percent} of ${budget}.`,
        }),
      ),
      {
        metric: 'projected_cost',
        model,
        threshold: '1',
        limit,
        severity: 'warning',
        message: `${cost} will exceed ${budget} at the current rate.`,
      } as AlertRule,
    ];
  });
}

/** Returns `50.00` for 50, 50.0 and 50.00. */
function withCents(amount: string): string {
  const [whole, cents = ''] = amount.split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}
