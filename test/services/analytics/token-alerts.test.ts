import { beforeEach, expect, test } from 'vitest';
import type { ChangedRow } from '../../../src/db/outbox/record-changes.ts';
import { selectTokenAlerts } from '../../../src/db/tables/usage/token-usage.ts';
import { updateTokenAlerts } from '../../../src/services/analytics/token-alerts.ts';
import { timestampPattern } from '../../support/here/requests.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

beforeEach(async () => {
  await own.sql('truncate token_usage_records, token_alerts restart identity; delete from settings');
  await set('token_prices', { unit: { input: '1', output: '0' }, other: { input: '2', output: '0' } });
});

const set = (key: string, value: unknown) =>
  own.sql(`insert into settings values ($1, $2) on conflict (setting_key) do update set setting_value = $2`, [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);

/** Records usage that costs that many units, on the first of a month. */
const spend = (units: number, month = '2026-09', model = 'unit') =>
  own.sql('insert into token_usage_records (model, occurred_at, input_tokens) values ($1, $2, $3)', [
    model,
    `${month}-01T00:00:00Z`,
    units * 1_000_000,
  ]);

/**
 * Updates the alerts at an instant. By default, at the end of the month, when the projected cost is close to the cost.
 * Returns what was raised (+) or resolved (-).
 */
async function update(now = '2026-09-30T23:59:00Z'): Promise<string[]> {
  const touched: ChangedRow[] = [];
  await own.pool.transaction((tx) =>
    updateTokenAlerts(tx, (...more) => touched.push(...more), new Date(now)),
  );
  return touched.map((change) => {
    if (change.event !== 'token_alert.raised' && change.event !== 'token_alert.resolved')
      expect.fail(change.event);
    const { metric, model, threshold, period } = change.after ?? change.before;
    const sign = change.event === 'token_alert.raised' ? '+' : '-';
    return `${sign} ${period} ${metric}${model === null ? '' : ` of ${model}`} ${threshold}`;
  });
}

test('nothing fires without a price or a budget, and each threshold fires once, exactly when it is reached', async () => {
  await spend(1_000_000, '2026-09', 'unknown');
  expect(await update()).toEqual([]);
  await set('token_budgets', { total: '50.00', models: { unknown: '0.01' } });
  await spend(24.9999);
  expect(await update()).toEqual([]);
  await spend(0.0001);
  expect(await update()).toEqual(['+ 2026-09 cost 0.5']);
  expect(await update()).toEqual([]);
  await spend(15);
  expect(await update()).toEqual(['+ 2026-09 cost 0.8']);
  await spend(9.9999);
  expect(await update()).toEqual(['+ 2026-09 projected_cost 1']);
  await spend(0.0001);
  expect(await update()).toEqual(['+ 2026-09 cost 1']);
  await spend(1_000);
  expect(await update()).toEqual([]);
  const amounts = (await selectTokenAlerts(own.pool)).map(({ metric, current }) => `${metric} ${current}`);
  // One minute of 43,200 is left: 1,050 * 43,200 / 43,199
  expect(amounts.sort()).toEqual([...Array(3).fill('cost 1050.00'), 'projected_cost 1050.02']);
});

test('several thresholds fire at once, each with a message', async () => {
  await set('token_budgets', { total: '50' });
  await set('currency', 'EUR');
  await spend(41.2);
  expect(await update('2026-09-16T00:00:00Z')).toEqual([
    '+ 2026-09 cost 0.5',
    '+ 2026-09 cost 0.8',
    '+ 2026-09 projected_cost 1',
  ]);
  const alerts = await selectTokenAlerts(own.pool);
  expect(alerts.toSorted((one, other) => one.id - other.id)).toMatchObject([
    {
      id: expect.any(Number),
      metric: 'cost',
      model: null,
      period: '2026-09',
      threshold: 0.5,
      limit: '50.00',
      current: '41.20',
      severity: 'info',
      status: 'firing',
      message: 'The cost of 2026-09 has reached 50 % of its budget of 50.00 EUR.',
      triggeredAt: expect.stringMatching(timestampPattern),
    },
    { threshold: 0.8, severity: 'warning' },
    {
      metric: 'projected_cost',
      threshold: 1,
      // After half of the month the projection is twice the cost.
      current: '82.40',
      severity: 'warning',
      message: 'The cost of 2026-09 will exceed its budget of 50.00 EUR at the current rate.',
    },
  ]);
});

test('a model can have its own budget', async () => {
  await set('token_budgets', { total: '1000.00', models: { unit: '10.00', other: '10.00' } });
  await spend(5);
  // 2 * 4 = 8
  await spend(4, '2026-09', 'other');
  expect(await update()).toEqual([
    '+ 2026-09 cost of unit 0.5',
    '+ 2026-09 cost of other 0.5',
    '+ 2026-09 cost of other 0.8',
  ]);
  const [{ message } = { message: '' }] = await selectTokenAlerts(own.pool);
  expect(message).toMatch(/^The cost of (unit|other) in 2026-09 has reached/);
});

test('a projection fires after the first day, and resolves when the spending slows down', async () => {
  await set('token_budgets', { total: '100.00' });
  await spend(4);
  // 4 * 30 / 0.999… = 120
  expect(await update('2026-09-01T23:59:59Z')).toEqual([]);
  expect(await update('2026-09-02T00:00:00Z')).toEqual(['+ 2026-09 projected_cost 1']);
  // 4 * 30 / 1.2 = 100, which is not more than the budget
  expect(await update('2026-09-02T04:47:59Z')).toEqual([]);
  expect(await update('2026-09-02T04:48:00Z')).toEqual(['- 2026-09 projected_cost 1']);
});

test('alerts resolve when a new month starts in the time zone of the setting', async () => {
  await set('token_budgets', { total: '10.00' });
  await set('timezone', 'Europe/Berlin');
  await spend(5);
  // Berlin's September ends at 22:00Z.
  expect(await update('2026-09-30T21:59:59Z')).toEqual(['+ 2026-09 cost 0.5']);
  expect(await update('2026-09-30T22:00:00Z')).toEqual(['- 2026-09 cost 0.5']);
  await spend(6, '2026-10');
  expect(await update('2026-10-30T23:59:00Z')).toEqual(['+ 2026-10 cost 0.5']);
  expect((await selectTokenAlerts(own.pool)).map(({ period, status }) => [period, status])).toEqual([
    ['2026-10', 'firing'],
    ['2026-09', 'resolved'],
  ]);
});

test('alerts are listed firing first, then newest first', async () => {
  await own.sql(`
    insert into token_alerts (id, metric, model, threshold, limit_amount, current_amount, status, triggered_at)
    values
      (1, 'cost', null, 0.8, 50, 41.2, 'firing', '2026-09-01Z'),
      (2, 'cost', null, 1, 50, 50.0001, 'resolved', '2026-09-04Z'),
      (3, 'tokens', 'small', 0.8, 1000, 900, 'firing', '2026-09-02Z'),
      (4, 'tokens', 'large', 0.8, 1000, 900, 'firing', '2026-09-02Z')
  `);
  expect((await selectTokenAlerts(own.pool)).map(({ id }) => id)).toEqual([4, 3, 1, 2]);
});
