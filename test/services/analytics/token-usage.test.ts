import { beforeEach, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

beforeEach(() => own.sql('truncate token_usage_records, token_alerts'));

/** Inserts a usage record. */
const record = (model: string, at: string, input: number, output: number, cached = 0) =>
  own.sql(
    `insert into token_usage_records (model, occurred_at, input_tokens, output_tokens, cached_input_tokens)
     values ($1, $2, $3, $4, $5)`,
    [model, at, input, output, cached],
  );

/** Reads at an instant, with some settings. Validates the answer with the contract's schema. */
async function read(now: string, given: Readonly<Record<string, unknown>> = {}) {
  const settings = Object.fromEntries(
    Object.entries({ token_prices: given.prices, token_budgets: given.budgets, ...given }).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value ?? {})],
    ),
  );
  const answer = await readTokenUsage(own.pool, settings, new Date(now));
  operationOf('settings.show').output.parse({ settings, profile: null, ...answer });
  return answer;
}

describe('the usage of a month', () => {
  test('is summed in total, by day and by model', async () => {
    await own.sql(`
      insert into token_usage_records
        (record_id, occurred_at, provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
      values
        ('r1', '2026-08-31T23:59:59.999Z', 'north', 'small', 7000, 700, 70, true),
        ('r2', '2026-09-01T00:00:00Z', 'north', 'small', 100, 20, 50, true),
        ('r3', '2026-09-01T23:59:59.999Z', 'north', 'large', 300, 80, 0, false),
        ('r4', '2026-09-03T08:00:00Z', 'north', 'small', 10, 5, 0, true),
        ('r5', '2026-09-03T23:59:59.999Z', 'south', 'small', 1, 1, 0, true),
        ('r7', '2026-09-04T00:00:00Z', 'north', 'small', 9000, 900, 90, true)
    `);
    const { tokenUsage, tokenDailyBreakdown } = await read('2026-09-03T10:00:00Z', { currency: ' EUR ' });
    expect(tokenUsage).toEqual({
      month: '2026-09',
      timezone: 'UTC',
      requests: 4,
      failedRequests: 1,
      inputTokens: 411,
      outputTokens: 106,
      cachedInputTokens: 50,
      totalTokens: 517,
      cost: '0.0000',
      currency: 'EUR',
      unpricedTokens: 517,
      budget: null,
      byModel: [
        usageOf('north', 'large', 1, 300, 80),
        usageOf('north', 'small', 2, 110, 25),
        usageOf('south', 'small', 1, 1, 1),
      ],
    });
    expect(tokenDailyBreakdown).toEqual([
      {
        date: '2026-09-01',
        requests: 2,
        failedRequests: 1,
        cost: '0.0000',
        inputTokens: 400,
        outputTokens: 100,
        cachedInputTokens: 50,
        totalTokens: 500,
        byModel: [usageOf('north', 'large', 1, 300, 80), usageOf('north', 'small', 1, 100, 20)],
      },
      {
        date: '2026-09-02',
        requests: 0,
        failedRequests: 0,
        cost: '0.0000',
        inputTokens: 0,
        outputTokens: 0,
        cachedInputTokens: 0,
        totalTokens: 0,
        byModel: [],
      },
      {
        date: '2026-09-03',
        requests: 2,
        failedRequests: 0,
        cost: '0.0000',
        inputTokens: 11,
        outputTokens: 6,
        cachedInputTokens: 0,
        totalTokens: 17,
        byModel: [usageOf('north', 'small', 1, 10, 5), usageOf('south', 'small', 1, 1, 1)],
      },
    ]);
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

test('names the 200 models with the most tokens, and sums up all others as one', async () => {
  await own.sql(`
    insert into token_usage_records (record_id, occurred_at, provider, model, input_tokens, output_tokens)
    select 'many ' || n, '2026-09-01T00:00:00Z'::timestamptz + (n % 2) * interval '1 day', 'north', 'model ' || n, n, 0
    from generate_series(1, 250) as n
  `);
  const price = { input: '1000000', output: '0' };
  const prices = { 'model 1': price, 'model 2': price };
  const { tokenUsage, tokenDailyBreakdown } = await read('2026-09-02T12:00:00Z', { prices });
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

const small = { input: '0.15', output: '0.60' };

type Used = [model: string, day: string, input: number, output: number, cached?: number];

describe('the cost', () => {
  test.for<
    [
      is: string,
      prices: object,
      used: Used[],
      usage: { cost: string; unpricedTokens: number },
      ofModels: (string | null)[],
      ofDays: string[],
    ]
  >([
    [
      'the sum of input, cached input and output, priced per million tokens',
      { small: { ...small, cached_input: '0.075' }, large: { input: '3', output: '15' } },
      [
        // 900,000 * 0.15 + 100,000 * 0.075 + 200,000 * 0.60 = 135,000 + 7,500 + 120,000 = 262,500 millionths
        ['small', '02', 1_000_000, 200_000, 100_000],
        // Without its own price, cached input costs as much as input: 10,001 * 3 + 333 * 15 = 34,998 millionths
        ['large', '02', 10_001, 333, 5_000],
      ],
      { cost: '0.2975', unpricedTokens: 0 },
      ['0.2625', '0.0350'],
      ['0.0000', '0.2975', '0.0000'],
    ],
    [
      'null for a model without a price, and 0.0000 for one whose price is 0',
      { small, free: { input: '0', output: '0' } },
      [
        ['small', '01', 1_000_000, 0],
        ['free', '01', 1_000, 1_000],
        ['unknown', '01', 5, 7],
        ['unknown', '02', 30, 0],
      ],
      { cost: '0.1500', unpricedTokens: 42 },
      ['0.1500', '0.0000', null],
      ['0.1500', '0.0000', '0.0000'],
    ],
    [
      // A day: 3 * 50 tokens * 1.00 = 0.00015, which is 0.0002. Rounded once, the three would be 0.00045 and thus 0.0005.
      'rounded half up per model and day, and all other costs are sums of these',
      { a: { input: '1', output: '0' }, b: { input: '0', output: '1' } },
      ['01', '02', '03'].flatMap((day): Used[] => [
        ['a', day, 50, 0],
        ['a', day, 100, 0],
        // 0.000049 is 0.0000
        ['b', day, 0, 49],
      ]),
      { cost: '0.0006', unpricedTokens: 0 },
      ['0.0006', '0.0000'],
      ['0.0002', '0.0002', '0.0002'],
    ],
  ])('is %s', async ([, prices, used, usage, ofModels, ofDays]) => {
    for (const [model, day, ...tokens] of used) await record(model, `2026-09-${day}T10:00:00Z`, ...tokens);
    const { tokenUsage, tokenDailyBreakdown } = await read('2026-09-03T12:00:00Z', { prices });
    expect(tokenUsage).toMatchObject(usage);
    expect(tokenUsage.byModel.map(({ cost }) => cost)).toEqual(ofModels);
    expect(tokenDailyBreakdown.map(({ cost }) => cost)).toEqual(ofDays);
  });
});

test('a price holds from a month on, and leaves the cost of earlier months', async () => {
  for (const month of ['09', '10', '11']) await record('small', `2026-${month}-01T10:00:00Z`, 1_000_000, 0);
  const later = (input: string, since: string) => ({ input, output: '0', since });
  const small = [{ input: '9.24', output: '0' }, later('18.11', '2026-10'), later('4', '2026-12')];
  const costs = ['09', '10', '11'].map(async (month) => {
    const { tokenUsage } = await read(`2026-${month}-30T10:00:00Z`, { prices: { small } });
    return tokenUsage.cost;
  });
  expect(await Promise.all(costs)).toEqual(['9.2400', '18.1100', '18.1100']);
});

describe('the budget', () => {
  const prices = { unit: { input: '1', output: '0' } };

  test.each([
    // 12 / 50; after a quarter of 30 days: 12 * 4
    ['UTC', '2026-09-08T12:00:00Z', 12, 0.24, '48.00'],
    // 721 hours, of which 13 have passed at noon: 1 * 721 / 13 = 55.4615…
    ['America/New_York', '2026-11-01T17:00:00Z', 1, 0.02, '55.46'],
    // No rate can be computed at the first instant.
    ['UTC', '2026-09-01T00:00:00Z', 5, 0.1, '5.00'],
    // 743 hours, of which 674 have passed: 10 * 743 / 674 = 11.0237…. CET is a time zone here, not an offset.
    ['CET', '2026-03-29T01:00:00Z', 10, 0.2, '11.02'],
    // A ratio of 1 is reached only when all of it is used up: 49.9999 of 50 are 0.999998.
    ['UTC', '2026-09-30T23:59:59Z', 49.9999, 0.9999, '50.00'],
  ])(
    'has the right ratio and projection in %s at %s',
    async (timezone, now, units, usedRatio, projectedCost) => {
      // Within the month and before the time of each case.
      await record('unit', `${now.slice(0, 7)}-01T11:00:00Z`, units * 1_000_000, 0);
      const { tokenUsage } = await read(now, { prices, budgets: { total: '50.00' }, timezone });
      expect(tokenUsage.budget).toEqual({ limit: '50.00', usedRatio, projectedCost });
    },
  );
});

test('accepts any model name', async () => {
  for (const model of ['__proto__', 'constructor', "'; drop table settings; --", '10']) {
    await record(model, '2026-09-01T10:00:00Z', 1_000_000, 0);
  }
  const token_prices =
    '{"__proto__":{"input":"1","output":"1"},"constructor":{"input":"2","output":"1"},"10":{"input":"4","output":"1"}}';
  const { tokenUsage } = await read('2026-09-01T12:00:00Z', { token_prices });
  expect(tokenUsage).toMatchObject({ cost: '7.0000', unpricedTokens: 1_000_000 });
});
