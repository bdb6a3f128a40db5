import {
  currencyOf,
  readBudgets,
  readPrices,
  usageKeys,
} from '../../contract/known-settings/token-settings.ts';
import type { Settings } from '../../contract/operations/settings.ts';
import type { Database } from '../../db/connection/pool.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import {
  type AlertRule,
  evaluateTokenAlerts,
  lockTokenAlerts,
  queueTokenAlertJob,
  tryLockTokenAlerts,
} from '../../db/tables/token-alerts.ts';
import { type Actor, theService } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import type { Services, Touch } from '../call/context.ts';
import { readMonth } from './calendar.ts';

/** What is recorded of it where no request is the cause. */
const refresh = {
  id: 'tokenAlerts.refresh',
  changes: ['token_alert.raised', 'token_alert.resolved'],
} as const;

/**
 * Judges the alerts of token usage as of now. Ingestion and changes of settings do it by themselves; what they cannot
 * see is time that passes: the month turns, and a projection falls. See the schedules of jobs.
 */
export async function refreshTokenAlerts(
  { databases }: Pick<Services, 'databases'>,
  actor: Actor = theService,
): Promise<void> {
  await changesOf(databases.primary, actor, refresh)((tx, touch) => updateTokenAlerts(tx, touch));
}

/** Whether alerts depend on the setting of that key. */
export function decidesOnAlerts(key: string): boolean {
  return usageKeys.includes(key);
}

/**
 * Raises and resolves the alerts of token usage within a transaction that changed what they depend on.
 *
 * @param now - the instant to judge at; the database's clock where it is undefined
 */
export async function updateTokenAlerts(tx: Database, touch: Touch, now?: Date): Promise<void> {
  await lockTokenAlerts(tx);
  await judge(tx, touch, now);
}

/**
 * Does the same where nobody else is at it, and otherwise leaves it to a job that runs after the commit: many who
 * record at once do not wait for one another.
 */
export async function updateTokenAlertsSoon(tx: Database, touch: Touch): Promise<void> {
  await ((await tryLockTokenAlerts(tx)) ? judge(tx, touch) : queueTokenAlertJob(tx));
}

async function judge(tx: Database, touch: Touch, now?: Date): Promise<void> {
  const settings = await selectSettings(tx, usageKeys);
  const month = await readMonth(tx, settings, now);
  const rules = rulesOf(settings, month.month);
  for (const change of await evaluateTokenAlerts(tx, month, readPrices(settings).value, rules)) {
    const { event, is_new, id, ...alert } = change;
    const [was, status] = event === 'token_alert.raised' ? ['resolved', 'firing'] : ['firing', 'resolved'];
    touch({ event, id, before: is_new ? undefined : { status: was }, after: { ...alert, status } });
  }
}

/** The parts of a budget that are told of, and how bad it is to have reached them. */
const thresholds = [
  { threshold: '0.5', percent: '50 %', severity: 'info' },
  { threshold: '0.8', percent: '80 %', severity: 'warning' },
  { threshold: '1', percent: '100 %', severity: 'critical' },
] as const;

/** The rules of all budgets, for one month. */
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
          ...{ metric: 'cost', model, threshold, limit, severity },
          message: `${cost} has reached ${percent} of ${budget}.`,
        }),
      ),
      {
        ...{ metric: 'projected_cost', model, threshold: '1', limit, severity: 'warning' },
        message: `${cost} will exceed ${budget} if it goes on like this.`,
      } as AlertRule,
    ];
  });
}

/** `50.00` for 50, 50.0 and 50.00. */
function withCents(amount: string): string {
  const [whole, cents = ''] = amount.split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}
