import { beforeEach, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { readScraping } from '../../../src/services/analytics/scraping.ts';
import { readTokenUsage } from '../../../src/services/analytics/token-usage.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile();

beforeEach(async () => {
  await own.client.query('truncate token_usage_records, token_alerts, scraping_runs, scraping_errors');
});

/** Reads at an instant and checks the answer against the contract's own schema. */
async function read(settings: Record<string, string>, now: string) {
  const at = new Date(now);
  const sections = {
    ...(await readTokenUsage(own.pool, settings, at)),
    ...(await readScraping(own.pool, settings, at)),
  };
  operationOf('settings.show').output.parse({ settings, profile: null, ...sections });
  return sections;
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

const noRuns = {
  runs: 0,
  succeededRuns: 0,
  failedRuns: 0,
  cancelledRuns: 0,
  pagesSucceeded: 0,
  pagesFailed: 0,
  pagesBlocked: 0,
  itemsScraped: 0,
  successRate: null,
  avgDurationMs: null,
  lastRunAt: null,
};

test('empty tables read as zeros, and as null where there is nothing to divide', async () => {
  const { tokenUsage, tokenDailyBreakdown, tokenAlerts, scraping, scrapingErrors } = await read(
    {},
    '2026-09-02T12:00:00Z',
  );
  const month = { month: '2026-09', timezone: 'UTC' };
  expect(tokenUsage).toEqual({
    ...month,
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
  expect(scraping).toEqual({ ...month, ...noRuns, bySource: [] });
  expect(scrapingErrors).toEqual([]);
});

describe('token usage', () => {
  test('the figures of a month, its days and its models', async () => {
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
        date: '2026-09-01',
        requests: 2,
        failedRequests: 1,
        inputTokens: 400,
        outputTokens: 100,
        cachedInputTokens: 50,
        totalTokens: 500,
        cost: '0.0000',
        byModel: [usageOf('north', 'large', 1, 300, 80), usageOf('north', 'small', 1, 100, 20)],
      },
      { date: '2026-09-02', ...noUsage, byModel: [] },
      {
        date: '2026-09-03',
        requests: 3,
        failedRequests: 0,
        inputTokens: 12,
        outputTokens: 7,
        cachedInputTokens: 1,
        totalTokens: 19,
        cost: '0.0000',
        byModel: [
          usageOf('north', 'small', 1, 10, 5),
          usageOf('south', '__proto__', 1, 1, 1),
          usageOf('south', 'small', 1, 1, 1),
        ],
      },
    ]);
  });

  test("without an instant it reads at the database's clock, and records need no more than a model", async () => {
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

  test('a sum of the greatest records is still exact', async () => {
    await own.client.query(`
      insert into token_usage_records (model, input_tokens, output_tokens)
      select 'large', 1000000000000, 1 from generate_series(1, 4000)
    `);
    expect((await readTokenUsage(own.pool, {})).tokenUsage.totalTokens).toBe(4_000_000_000_004_000);
  });

  test('rows that SQL brought in never break the reading: sums end where JSON does', async () => {
    await own.client.query(`
      insert into token_usage_records (model, input_tokens, output_tokens, cached_input_tokens)
      select 'model ' || n % 2, 1000000000000, 1000000000000, 1000000000000 from generate_series(1, 10000) as n
    `);
    const most = 4_500_000_000_000_000;
    const all = { inputTokens: most, outputTokens: most, cachedInputTokens: most, totalTokens: 2 * most };
    const settings = {
      token_prices: '{"model 0":{"input":"1","output":"1"}}',
      token_budgets: '{"total":"1"}',
    };
    const read = await readTokenUsage(own.pool, settings);
    operationOf('settings.show').output.parse({ settings, profile: null, ...read });
    // The cost is that of all tokens: 10^16 of the model that has a price.
    const cost = '10000000000.0000';
    expect(read.tokenUsage).toMatchObject({ ...all, requests: 10_000, unpricedTokens: 2 * most, cost });
    expect(read.tokenDailyBreakdown.at(-1)).toMatchObject({ ...all, byModel: [{ inputTokens: most }, {}] });
    expect(Number.isSafeInteger(2 * most)).toBe(true);
  });

  test.each(['-1', '1000000000001'])('a record of %s tokens is refused', async (tokens) => {
    const insert = `insert into token_usage_records (model, input_tokens) values ('small', ${tokens})`;
    await expect(own.client.query(insert)).rejects.toThrow(/token_usage_records_\w*input\w*check/);
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
  test('the firing ones come first, then the newest', async () => {
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

  test('a threshold of all models has one alert per month', async () => {
    const insert = `insert into token_alerts (metric, threshold, limit_amount, current_amount) values ('cost', 0.8, 50, 41)`;
    await own.client.query(insert);
    await expect(own.client.query(insert)).rejects.toThrow('token_alerts_once_key');
  });
});

describe('scraping', () => {
  test('the figures of a month, in all and by source', async () => {
    await own.client.query(`
      insert into scraping_runs (run_id, source, status, started_at, finished_at,
        pages_succeeded, pages_failed, pages_blocked, items_scraped)
      values
        ('a1', 'alpha', 'succeeded', '2026-08-31T23:59:59.999Z', '2026-09-01T01:00:00Z', 99, 99, 99, 99),
        ('a2', 'alpha', 'succeeded', '2026-09-01T00:00:00Z', '2026-09-01T00:00:10Z', 10, 1, 2, 30),
        ('a3', 'alpha', 'failed', '2026-09-02T00:00:00Z', '2026-09-02T00:00:20.002Z', 1, 5, 0, 2),
        ('a4', 'alpha', 'succeeded', '2026-09-02T01:00:00Z', null, 4, 0, 0, 4),
        ('b1', 'Beta', 'cancelled', '2026-09-02T02:00:00Z', '2026-09-02T02:00:03Z', 0, 0, 7, 0),
        ('b2', 'Beta', 'running', '2026-09-02T03:00:00.123Z', null, 2, 0, 0, 1),
        ('b3', 'Beta', 'succeeded', '2026-09-03T00:00:00Z', null, 99, 99, 99, 99)
    `);
    const { scraping } = await read({}, '2026-09-02T03:30:00Z');
    expect(scraping).toEqual({
      month: '2026-09',
      timezone: 'UTC',
      runs: 5,
      succeededRuns: 2,
      failedRuns: 1,
      cancelledRuns: 1,
      pagesSucceeded: 17,
      pagesFailed: 6,
      pagesBlocked: 9,
      itemsScraped: 37,
      successRate: 0.6667,
      avgDurationMs: 11_001,
      lastRunAt: '2026-09-02T03:00:00.123Z',
      bySource: [
        {
          ...noRuns,
          source: 'Beta',
          runs: 2,
          cancelledRuns: 1,
          pagesSucceeded: 2,
          pagesBlocked: 7,
          itemsScraped: 1,
          avgDurationMs: 3_000,
          lastRunAt: '2026-09-02T03:00:00.123Z',
        },
        {
          source: 'alpha',
          runs: 3,
          succeededRuns: 2,
          failedRuns: 1,
          cancelledRuns: 0,
          pagesSucceeded: 15,
          pagesFailed: 6,
          pagesBlocked: 2,
          itemsScraped: 36,
          successRate: 0.6667,
          avgDurationMs: 15_001,
          lastRunAt: '2026-09-02T01:00:00.000Z',
        },
      ],
    });
  });

  test('of 21 errors the newest 20, whatever their month', async () => {
    await own.client.query(`insert into scraping_runs (run_id, source) values ('a1', 'alpha')`);
    await own.client.query(`
      insert into scraping_errors (id, run_id, url, code, http_status, message, occurred_at)
      select n, 'a1', 'https://example.com/' || n, 'TIMEOUT', nullif(n, 21) + 500, 'Too slow.',
        timestamptz '2026-07-01T00:00:00Z' + n / 2 * interval '1 hour'
      from generate_series(1, 21) as n
    `);
    const { scrapingErrors } = await read({}, '2026-09-02T00:00:00Z');
    expect(scrapingErrors.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => 21 - index));
    expect(scrapingErrors.slice(0, 2)).toEqual([
      {
        id: 21,
        runId: 'a1',
        source: 'alpha',
        url: 'https://example.com/21',
        code: 'TIMEOUT',
        httpStatus: null,
        message: 'Too slow.',
        occurredAt: '2026-07-01T10:00:00.000Z',
      },
      expect.objectContaining({ id: 20, httpStatus: 520, occurredAt: '2026-07-01T10:00:00.000Z' }),
    ]);
  });
});
