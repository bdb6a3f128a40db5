import { beforeEach, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

beforeEach(async () => {
  await own.client.query('truncate token_usage_records, token_alerts');
});

/** Reads at an instant and validates the answer with the contract's schema. */
async function read(settings: Record<string, string>, now: string) {
  const usage = await readTokenUsage(own.pool, settings, new Date(now));
  operationOf('settings.show').output.parse({ settings, profile: null, ...usage });
  return usage;
}

const noUsage = {
  requests: 0,
  failedRequests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  totalTokens: 0,
  cost: '0.0000',
};

test('an empty table reads as zeros', async () => {
  const { tokenUsage, tokenDailyBreakdown, tokenAlerts } = await read({}, '2026-09-02T12:00:00Z');
  expect(tokenUsage).toEqual({
    month: '2026-09',
    timezone: 'UTC',
    ...noUsage,
    currency: 'USD',
    unpricedTokens: 0,
    budget: null,
    byModel: [],
  });
  expect(tokenDailyBreakdown).toEqual([
    { date: '2026-09-01', ...noUsage, byModel: [] },
    { date: '2026-09-02', ...noUsage, byModel: [] },
  ]);
  expect(tokenAlerts).toEqual([]);
});

describe('the usage of a month', () => {
  test('is summed in total, by day and by model', async () => {
    await own.client.query(`
      insert into token_usage_records
        (record_id, occurred_at, provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
      values
        ('r1', '2026-08-31T23:59:59.999Z', 'north', 'small', 7000, 700, 70, true),
        ('r2', '2026-09-01T00:00:00Z', 'north', 'small', 100, 20, 50, true),
        ('r3', '2026-09-01T23:59:59.999Z', 'north', 'large', 300, 80, 0, false),
        ('r4', '2026-09-03T08:00:00Z', 'north', 'small', 10, 5, 0, true),
        ('r5', '2026-09-03T23:59:59.999Z', 'south', 'small', 1, 1, 0, true),
        ('r6', '2026-09-03T09:00:00Z', 'south', '__proto__', 1, 1, 1, true),
        ('r7', '2026-09-04T00:00:00Z', 'north', 'small', 9000, 900, 90, true)
    `);
    const { tokenUsage, tokenDailyBreakdown } = await read({ currency: ' EUR ' }, '2026-09-03T10:00:00Z');

    const totals = { inputTokens: 412, outputTokens: 107, cachedInputTokens: 51, totalTokens: 519 };
    expect(tokenUsage).toEqual({
      month: '2026-09',
      timezone: 'UTC',
      requests: 5,
      failedRequests: 1,
      ...totals,
      cost: '0.0000',
      currency: 'EUR',
      unpricedTokens: 519,
      budget: null,
      byModel: [
        usageOf('north', 'large', 1, 300, 80),
        usageOf('north', 'small', 2, 110, 25),
        usageOf('south', '__proto__', 1, 1, 1),
        usageOf('south', 'small', 1, 1, 1),
      ],
    });
    expect(tokenDailyBreakdown).toEqual([
      {
        ...{ date: '2026-09-01', requests: 2, failedRequests: 1, cost: '0.0000' },
        ...{ inputTokens: 400, outputTokens: 100, cachedInputTokens: 50, totalTokens: 500 },
        byModel: [usageOf('north', 'large', 1, 300, 80), usageOf('north', 'small', 1, 100, 20)],
      },
      { date: '2026-09-02', ...noUsage, byModel: [] },
      {
        ...{ date: '2026-09-03', requests: 3, failedRequests: 0, cost: '0.0000' },
        ...{ inputTokens: 12, outputTokens: 7, cachedInputTokens: 1, totalTokens: 19 },
        byModel: [
          usageOf('north', 'small', 1, 10, 5),
          usageOf('south', '__proto__', 1, 1, 1),
          usageOf('south', 'small', 1, 1, 1),
        ],
      },
    ]);
  });

  test("uses the database's clock by default, and records that have only a model", async () => {
    await own.client.query(
      `insert into token_usage_records (model, input_tokens) values ('small', 3), ('small', 4)`,
    );
    const { tokenUsage, tokenDailyBreakdown } = await readTokenUsage(own.pool, {});
    expect(tokenUsage).toMatchObject({
      requests: 2,
      totalTokens: 7,
      byModel: [usageOf('', 'small', 2, 7, 0)],
    });
    expect(tokenDailyBreakdown.at(-1)).toMatchObject({ requests: 2, totalTokens: 7 });
    expect(tokenDailyBreakdown.at(-1)?.date).toBe(
      `${tokenUsage.month}-${String(tokenDailyBreakdown.length).padStart(2, '0')}`,
    );
  });

  test('is exact for the largest records', async () => {
    await own.client.query(`
      insert into token_usage_records (model, input_tokens, output_tokens)
      select 'large', 1000000000000, 1 from generate_series(1, 4000)
    `);
    expect((await readTokenUsage(own.pool, {})).tokenUsage.totalTokens).toBe(4_000_000_000_004_000);
  });

  test('is capped at safe integers, so that rows inserted by SQL never break it', async () => {
    await own.client.query(`
      insert into token_usage_records (model, input_tokens, output_tokens, cached_input_tokens)
      select 'model ' || n % 2, 1000000000000, 1000000000000, 1000000000000 from generate_series(1, 10000) as n
    `);
    const cap = 4_500_000_000_000_000;
    const all = { inputTokens: cap, outputTokens: cap, cachedInputTokens: cap, totalTokens: 2 * cap };
    const settings = {
      token_prices: '{"model 0":{"input":"1","output":"1"}}',
      token_budgets: '{"total":"1"}',
    };
    const read = await readTokenUsage(own.pool, settings);
    operationOf('settings.show').output.parse({ settings, profile: null, ...read });
    // The cost counts all tokens: 10^16 of the priced model.
    const cost = '10000000000.0000';
    expect(read.tokenUsage).toMatchObject({ ...all, requests: 10_000, unpricedTokens: 2 * cap, cost });
    expect(read.tokenDailyBreakdown.at(-1)).toMatchObject({ ...all, byModel: [{ inputTokens: cap }, {}] });
    expect(Number.isSafeInteger(2 * cap)).toBe(true);
  });

  test.for([
    ['a negative number of tokens', 'input_tokens', '-1', '\\w*input'],
    ['too many tokens', 'input_tokens', '1000000000001', 'input'],
    ['more cached tokens than tokens', 'input_tokens, cached_input_tokens', '1, 2', 'cached_input'],
  ])('refuses a record of %s', async ([, columns, values, check]) => {
    const insert = `insert into token_usage_records (model, ${columns}) values ('small', ${values})`;
    await expect(own.client.query(insert)).rejects.toThrow(
      new RegExp(`token_usage_records_${check}\\w*check`),
    );
  });

  function usageOf(
    provider: string,
    model: string,
    requests: number,
    inputTokens: number,
    outputTokens: number,
  ) {
    const totalTokens = inputTokens + outputTokens;
    return { model, provider, requests, inputTokens, outputTokens, totalTokens, cost: null };
  }
});

describe('alerts', () => {
  test('are listed firing first, then newest first', async () => {
    await own.client.query(`
      insert into token_alerts
        (id, metric, model, period, threshold, limit_amount, current_amount, severity, status, triggered_at, message)
      values
        (1, 'cost', null, '2026-09', 0.8, 50, 41.2, 'warning', 'firing', '2026-09-01T00:00:00Z', 'Four fifths.'),
        (2, 'cost', null, '2026-09', 1, 50, 50.0001, 'critical', 'resolved', '2026-09-04T00:00:00Z', ''),
        (3, 'tokens', 'small', '2026-08', 0.8, 1000, 900, 'warning', 'firing', '2026-09-02T00:00:00Z', ''),
        (4, 'tokens', 'large', '2026-09', 0.8, 1000, 900, 'warning', 'firing', '2026-09-02T00:00:00Z', '')
    `);
    const { tokenAlerts } = await read({}, '2026-09-10T00:00:00Z');
    expect(tokenAlerts.map(({ id }) => id)).toEqual([4, 3, 1, 2]);
    expect(tokenAlerts[2]).toEqual({
      id: 1,
      metric: 'cost',
      model: null,
      period: '2026-09',
      threshold: 0.8,
      limit: '50.00',
      current: '41.20',
      severity: 'warning',
      status: 'firing',
      triggeredAt: '2026-09-01T00:00:00.000Z',
      message: 'Four fifths.',
    });
  });

  test('are unique for each threshold of the total and month', async () => {
    const insert = `insert into token_alerts (metric, threshold, limit_amount, current_amount) values ('cost', 0.8, 50, 41)`;
    await own.client.query(insert);
    await expect(own.client.query(insert)).rejects.toThrow('token_alerts_once_key');
  });
});

test('names the 200 models with the most tokens, and sums up all others as one', async () => {
  await own.client.query(`
    insert into token_usage_records (record_id, occurred_at, provider, model, input_tokens, output_tokens)
    select 'many ' || n, '2026-09-01T00:00:00Z'::timestamptz + (n % 2) * interval '1 day', 'north', 'model ' || n, n, 0
    from generate_series(1, 250) as n
  `);
  const prices = {
    'model 1': { input: '1000000', output: '0' },
    'model 2': { input: '1000000', output: '0' },
  };
  const settings = { token_prices: JSON.stringify(prices) };
  const { tokenUsage, tokenDailyBreakdown } = await read(settings, '2026-09-02T12:00:00Z');
  const { byModel } = tokenUsage;
  expect([byModel.length, byModel[1]?.model, byModel.at(-1)?.model]).toEqual([201, 'model 250', 'model 51']);
  const tokens = (50 * 51) / 2;
  expect(byModel[0]).toMatchObject({ model: '(other)', requests: 50, totalTokens: tokens, cost: '3.0000' });
  expect([tokenUsage.inputTokens, tokenUsage.cost]).toEqual([(250 * 251) / 2, '3.0000']);
  const others = tokenDailyBreakdown.map((day) => day.byModel.find(({ model }) => model === '(other)'));
  expect(others.map((other) => [other?.requests, other?.cost])).toEqual([
    [25, '2.0000'],
    [25, '1.0000'],
  ]);
});
