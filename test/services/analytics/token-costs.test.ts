import { beforeEach, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

beforeEach(() => own.client.query('truncate token_usage_records'));

/** Inserts a usage record. */
async function record(model: string, at: string, input: number, output: number, cached = 0): Promise<void> {
  await own.client.query(
    `insert into token_usage_records (model, occurred_at, input_tokens, output_tokens, cached_input_tokens)
     values ($1, $2, $3, $4, $5)`,
    [model, at, input, output, cached],
  );
}

interface Given {
  readonly prices?: unknown;
  readonly budgets?: unknown;
  readonly timezone?: string;
}

/** Reads at an instant and validates the answer with the contract's schema. */
async function read(now: string, { prices, budgets, timezone = 'UTC' }: Given) {
  const settings = {
    timezone,
    ...(prices === undefined ? {} : { token_prices: JSON.stringify(prices) }),
    ...(budgets === undefined ? {} : { token_budgets: JSON.stringify(budgets) }),
  };
  const answer = await readTokenUsage(own.pool, settings, new Date(now));
  operationOf('settings.show').output.parse({ settings, profile: null, ...answer });
  return answer;
}

const small = { input: '0.15', output: '0.60' };

describe('the cost', () => {
  test('is the sum of input, cached input and output, priced per million tokens', async () => {
    const prices = { small: { ...small, cached_input: '0.075' }, large: { input: '3', output: '15' } };
    // 900,000 * 0.15 + 100,000 * 0.075 + 200,000 * 0.60 = 135,000 + 7,500 + 120,000 = 262,500 millionths
    await record('small', '2026-09-02T10:00:00Z', 1_000_000, 200_000, 100_000);
    // Without its own price, cached input costs as much as input: 10,001 * 3 + 333 * 15 = 34,998 millionths
    await record('large', '2026-09-02T11:00:00Z', 10_001, 333, 5_000);
    const { tokenUsage, tokenDailyBreakdown } = await read('2026-09-02T12:00:00Z', { prices });
    expect(tokenUsage).toMatchObject({ cost: '0.2975', unpricedTokens: 0, cachedInputTokens: 105_000 });
    expect(tokenUsage.byModel.map(({ model, cost }) => [model, cost])).toEqual([
      ['small', '0.2625'],
      ['large', '0.0350'],
    ]);
    expect(tokenDailyBreakdown.map(({ cost }) => cost)).toEqual(['0.0000', '0.2975']);
  });

  test('is null for a model without a price, whose tokens are reported as unpriced', async () => {
    await record('small', '2026-09-01T10:00:00Z', 1_000_000, 0);
    await record('unknown', '2026-09-01T10:00:00Z', 5, 7);
    await record('unknown', '2026-09-02T10:00:00Z', 30, 0);
    const { tokenUsage, tokenDailyBreakdown } = await read('2026-09-02T12:00:00Z', { prices: { small } });
    expect(tokenUsage).toMatchObject({ cost: '0.1500', unpricedTokens: 42 });
    expect(tokenUsage.byModel).toMatchObject([
      { model: 'small', cost: '0.1500' },
      { model: 'unknown', cost: null },
    ]);
    expect(tokenDailyBreakdown).toMatchObject([
      { cost: '0.1500', byModel: [{ cost: '0.1500' }, { cost: null }] },
      { cost: '0.0000', byModel: [{ cost: null }] },
    ]);
  });

  test('is 0.0000, not null, for a model whose price is 0', async () => {
    await record('free', '2026-09-01T10:00:00Z', 1_000, 1_000);
    const { tokenUsage } = await read('2026-09-01T12:00:00Z', {
      prices: { free: { input: '0', output: '0' } },
    });
    expect(tokenUsage).toMatchObject({ cost: '0.0000', unpricedTokens: 0, byModel: [{ cost: '0.0000' }] });
  });

  test('is rounded half up per model and day, and all other costs are sums of these', async () => {
    // A day: 3 * 50 tokens * 1.00 = 0.00015, which is 0.0002. Three of them are 0.0006. Rounded once, it would be 0.00045 and thus 0.0005.
    const prices = { a: { input: '1', output: '0' }, b: { input: '0', output: '1' } };
    for (const day of ['01', '02', '03']) {
      for (const hour of ['01', '02', '03']) await record('a', `2026-09-${day}T${hour}:00:00Z`, 50, 0);
      // 0.000049 is 0.0000
      await record('b', `2026-09-${day}T05:00:00Z`, 0, 49);
    }
    const { tokenUsage, tokenDailyBreakdown } = await read('2026-09-03T12:00:00Z', { prices });
    expect(tokenDailyBreakdown.map(({ cost }) => cost)).toEqual(['0.0002', '0.0002', '0.0002']);
    expect(tokenUsage.cost).toBe('0.0006');
    expect(tokenUsage.byModel.map(({ model, cost }) => [model, cost])).toEqual([
      ['a', '0.0006'],
      ['b', '0.0000'],
    ]);
  });

  test('has no floating-point error, however large it is', async () => {
    // 10^12 * 999,999,999.999999999 / 10^6 = 999,999,999,999,999.999, more than the 53 bits of a double
    await record('expensive', '2026-09-01T10:00:00Z', 1_000_000_000_000, 0);
    // 3 * 0.1 in doubles is 0.30000000000000004
    for (const hour of [1, 2, 3]) await record('tenth', `2026-09-01T0${hour}:00:00Z`, 1_000_000, 0);
    const prices = {
      expensive: { input: '999999999.999999999', output: '0' },
      tenth: { input: '0.1', output: '0' },
    };
    const { tokenUsage } = await read('2026-09-01T12:00:00Z', { prices });
    expect(tokenUsage.byModel.map(({ cost }) => cost)).toEqual(['999999999999999.9990', '0.3000']);
    expect(tokenUsage.cost).toBe('1000000000000000.2990');
  });

  test('uses the same price for each provider, and lists providers separately', async () => {
    await own.client.query(`
      insert into token_usage_records (provider, model, occurred_at, input_tokens)
      values ('north', 'small', '2026-09-01Z', 1000000), ('south', 'small', '2026-09-01Z', 2000000)
    `);
    const { tokenUsage } = await read('2026-09-01T12:00:00Z', { prices: { small } });
    expect(tokenUsage.byModel.map(({ provider, cost }) => [provider, cost])).toEqual([
      ['south', '0.3000'],
      ['north', '0.1500'],
    ]);
  });
});

describe('the budget', () => {
  const prices = { unit: { input: '1', output: '0' } };
  const budgets = { total: '50.00' };
  /** Records usage that costs that many units. */
  const spend = (units: number, at: string) => record('unit', at, units * 1_000_000, 0);

  test('is null if no total budget is set', async () => {
    expect((await read('2026-09-01T12:00:00Z', { prices })).tokenUsage.budget).toBeNull();
    const ofModels = { models: { unit: '5.00' } };
    expect((await read('2026-09-01T12:00:00Z', { prices, budgets: ofModels })).tokenUsage.budget).toBeNull();
  });

  test.each([
    // 12 / 50; after a quarter of 30 days: 12 * 4
    ['UTC', '2026-09-08T12:00:00Z', 12, 0.24, '48.00'],
    // 743 hours, of which 179 (7 days and 11 hours) have passed: 10 * 743 / 179 = 41.5083…
    ['America/New_York', '2026-03-08T16:00:00Z', 10, 0.2, '41.51'],
    // 721 hours, of which 13 have passed at noon: 1 * 721 / 13 = 55.4615…
    ['America/New_York', '2026-11-01T17:00:00Z', 1, 0.02, '55.46'],
    // 29 days, with one second left: 29 * 2,505,600 / 2,505,599 = 29.0000116
    ['UTC', '2028-02-29T23:59:59Z', 29, 0.58, '29.00'],
    // No rate can be computed at the first instant.
    ['UTC', '2026-09-01T00:00:00Z', 5, 0.1, '5.00'],
    // 743 hours, of which 674 have passed: 10 * 743 / 674 = 11.0237…. CET is a time zone here, not an offset.
    ['CET', '2026-03-29T01:00:00Z', 10, 0.2, '11.02'],
    // After half of 30 days: 33 * 2
    ['UTC', '2026-09-16T00:00:00Z', 33, 0.66, '66.00'],
  ])(
    'has the right ratio and projection in %s at %s',
    async (timezone, now, units, usedRatio, projectedCost) => {
      // Within the month and before the time of each case.
      await spend(units, `${now.slice(0, 7)}-01T11:00:00Z`);
      const { tokenUsage } = await read(now, { prices, budgets, timezone });
      expect(tokenUsage.budget).toEqual({ limit: '50.00', usedRatio, projectedCost });
    },
  );

  test('reaches a ratio of 1 only when it is used up', async () => {
    // 49.9999 of 50 are 0.999998
    await record('unit', '2026-09-01T00:00:00Z', 49_999_900, 0);
    const { tokenUsage } = await read('2026-09-30T00:00:00Z', { prices, budgets });
    expect(tokenUsage).toMatchObject({ cost: '49.9999', budget: { usedRatio: 0.9999 } });
    await record('unit', '2026-09-01T00:00:00Z', 100, 0);
    expect((await read('2026-09-30T00:00:00Z', { prices, budgets })).tokenUsage.budget?.usedRatio).toBe(1);
  });
});

test.each([
  ['nonsense', '}{'],
  ['[1]', '"text"'],
  ['{"unit":{"input":1,"output":2}}', '{"total":50}'],
  ['{"unit":{"input":"-1","output":"2"}}', '{"total":"0.00"}'],
  ['{"unit":{"input":"1e3","output":"2"}}', '{"total":"Infinity","models":[]}'],
  ['{"unit":null}', '{"total":"0.001","models":{"unit":"x"}}'],
  ['{"__proto__":{"unit":{"input":"1","output":"1"}}}', '{"__proto__":{"total":"50.00"}}'],
])('ignores invalid settings: %s', async (token_prices, token_budgets) => {
  await record('unit', '2026-09-01T10:00:00Z', 1_000_000, 0);
  const settings = { token_prices, token_budgets };
  const { tokenUsage } = await readTokenUsage(own.pool, settings, new Date('2026-09-01T12:00:00Z'));
  expect(tokenUsage).toMatchObject({ cost: '0.0000', unpricedTokens: 1_000_000, budget: null });
});

test('accepts any model name', async () => {
  for (const model of ['__proto__', 'constructor', "'; drop table settings; --", '10']) {
    await record(model, '2026-09-01T10:00:00Z', 1_000_000, 0);
  }
  const token_prices =
    '{"__proto__":{"input":"1","output":"1"},"constructor":{"input":"2","output":"1"},"10":{"input":"4","output":"1"}}';
  const { tokenUsage } = await readTokenUsage(own.pool, { token_prices }, new Date('2026-09-01T12:00:00Z'));
  expect(tokenUsage).toMatchObject({ cost: '7.0000', unpricedTokens: 1_000_000 });
});
