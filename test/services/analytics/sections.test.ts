import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { openDatabase, type Pool } from '../../../src/db/connection/database.ts';
import { AnalyticsMemo } from '../../../src/services/analytics/analytics-memo.ts';
import { readAnalyticsOfMonth, readScraping } from '../../../src/services/analytics/sections.ts';
import { openQueryTap, type QueryTap } from '../../support/postgres/control.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();
const all = { tokenUsage: true, scraping: true };

/** Validates an answer with the contract's schema, and returns what it has. */
const parse = (text: string) => operationOf('settings.show').output.parse(JSON.parse(text));

describe('a remembered answer', () => {
  let tap: QueryTap;
  let pool: Pool;

  beforeAll(async () => {
    tap = await openQueryTap(own.url);
    pool = openDatabase({ databaseUrl: tap.url });
  });

  afterAll(async () => {
    await pool.close();
    await tap.close();
  });

  async function read(memo: AnalyticsMemo, now: string) {
    tap.reset();
    const { settings, fields } = await memo.read(pool, all, new Date(now));
    const text = `{"settings":${JSON.stringify(settings)},"profile":null${fields}}`;
    parse(text);
    return { text, statements: tap.statements.length };
  }

  const noon = '2026-09-20T12:00:00Z';
  const record = `insert into token_usage_records (record_id, model, occurred_at, input_tokens) values ('r1', 'small', '2026-09-02Z', 1000000)`;
  const set = (key: string, value: string) =>
    `insert into settings (setting_key, setting_value) values ('${key}', '${value}')
   on conflict (setting_key) do update set setting_value = excluded.setting_value`;

  const changes = [
    record,
    set('token_prices', '{"small":{"input":"3","output":"1"}}'),
    set('token_budgets', '{"total":"50"}'),
    'select fold_token_usage_deltas()',
    `update token_usage_records set occurred_at = '2026-08-31T23:30Z'`,
    set('timezone', 'Europe/Berlin'),
    set('currency', 'EUR'),
    `insert into token_alerts (metric, threshold, limit_amount, current_amount) values ('cost', 0.8, 50, 41)`,
    `insert into scraping_runs (run_id, source, started_at) values ('run', 'alpha', '2026-09-02Z')`,
    `insert into scraping_errors (run_id, message) values ('run', 'Too slow')`,
    `update scraping_runs set source = 'beta'`,
    'truncate token_usage_records',
    `update token_usage_sums set requests = 1; select rebuild_token_usage_sums()`,
    `delete from settings where setting_key = 'token_budgets'`,
  ];

  test('is that of a first read after any change, and else takes one statement', async () => {
    const memo = new AnalyticsMemo();
    let before = (await read(memo, noon)).text;
    for (const change of changes) {
      await own.sql(change);
      const changed = await read(memo, noon);
      expect(changed.text, change).toBe((await read(new AnalyticsMemo(), noon)).text);
      expect(changed.text !== before, change).toBe(!/fold|rebuild/.test(change));
      expect(await read(memo, noon), change).toEqual({ text: changed.text, statements: 1 });
      before = changed.text;
    }
  });

  test('ends with its day', async () => {
    await own.sql(
      `${record}; ${set('timezone', 'Asia/Kathmandu')}; ${set('token_budgets', '{"total":"50"}')}`,
    );
    const memo = new AnalyticsMemo();
    for (const now of ['2026-09-20T18:14:59.999Z', '2026-09-20T18:15:00Z', '2026-09-30T18:15:00Z']) {
      const first = await read(new AnalyticsMemo(), now);
      const { text, statements } = await read(memo, now);
      expect(text).toBe(first.text);
      expect(statements).toBeGreaterThan(1);
    }
  });

  test('has the projected cost of the present time', async () => {
    await own.sql(set('token_prices', '{"small":{"input":"3","output":"1"}}'));
    const memo = new AnalyticsMemo();
    for (const [now, projectedCost] of [
      // 3 for a million tokens; a half and three quarters of 30 days have passed.
      ['2026-09-15T18:15:00Z', '6.00'],
      ['2026-09-15T21:15:00Z', '5.95'],
    ] as const) {
      const { text } = await read(memo, now);
      expect(JSON.parse(text).tokenUsage).toMatchObject({ cost: '3.0000', budget: { projectedCost } });
    }
    expect((await read(memo, '2026-09-15T21:15:00Z')).statements).toBe(1);
  });
});

describe('the analytics of a month', () => {
  // In Berlin, August ends two hours before it does in UTC.
  beforeAll(async () => {
    await own.sql(`
    truncate settings, token_usage_records, token_alerts, scraping_runs, scraping_errors;
    insert into settings (setting_key, setting_value) values
      ('timezone', 'Europe/Berlin'),
      ('token_prices', '{"small":{"input":"3","output":"1"}}'),
      ('token_budgets', '{"total":"50"}');
    insert into token_usage_records (record_id, model, occurred_at, input_tokens) values
      ('r1', 'small', '2026-07-31T21:59:59Z', 1000000),
      ('r2', 'small', '2026-07-31T22:00:00Z', 2000000),
      ('r3', 'small', '2026-08-31T21:59:59Z', 4000000),
      ('r4', 'small', '2026-08-31T22:00:00Z', 8000000);
    insert into token_alerts (metric, threshold, period, limit_amount, current_amount, status) values
      ('cost', 0.5, '2026-08', 50, 26, 'resolved'), ('cost', 0.5, '2026-09', 50, 26, 'firing');
    insert into scraping_runs (run_id, source, started_at) values
      ('july', 'a', '2026-07-31T21:59:59Z'), ('august', 'a', '2026-08-31T21:59:59Z'), ('september', 'b', '2026-09-02Z');
    insert into scraping_errors (id, run_id, message, occurred_at) values
      (1, 'august', 'Too slow', '2026-08-31T21:59:59Z'), (2, 'august', 'Gone', '2026-08-31T21:59:59Z'),
      (3, 'august', 'Gone in September', '2026-08-31T22:00:00Z')
  `);
  });

  async function read(month: string, now = '2026-09-02T12:00:00Z', shown = all) {
    const { fields } = await readAnalyticsOfMonth(own.pool, shown, month, new Date(now));
    return parse(`{"settings":{},"profile":null${fields}}`);
  }

  test('cover all of a past month in the time zone of the installation', async () => {
    const august = await read('2026-08');
    const { tokenUsage, tokenDailyBreakdown, tokenAlerts, scraping, scrapingErrors } = august;
    expect(tokenUsage).toMatchObject({
      month: '2026-08',
      timezone: 'Europe/Berlin',
      inputTokens: 6_000_000,
      cost: '18.0000',
      // The month is over, so its cost is no estimate.
      budget: { limit: '50.00', usedRatio: 0.36, projectedCost: null },
    });
    expect(tokenDailyBreakdown?.map(({ date }) => date.slice(-2))).toEqual(
      Array.from({ length: 31 }, (_, day) => String(day + 1).padStart(2, '0')),
    );
    expect(tokenDailyBreakdown?.at(0)?.inputTokens).toBe(2_000_000);
    expect(tokenDailyBreakdown?.at(-1)?.inputTokens).toBe(4_000_000);
    expect(tokenAlerts?.map(({ period }) => period)).toEqual(['2026-08']);
    expect([scraping?.runs, scraping?.bySource.map(({ source }) => source)]).toEqual([1, ['a']]);
    expect(scrapingErrors?.map(({ message }) => message)).toEqual(['Gone', 'Too slow']);
    const days = august.scrapingDailyBreakdown ?? [];
    expect(days.map(({ date }) => date)).toEqual(tokenDailyBreakdown?.map(({ date }) => date));
    expect(days.map(({ runs }) => runs)).toEqual([...Array(30).fill(0), 1]);
    expect([days.at(0)?.startsAt, days.at(-1)?.endsAt]).toEqual([
      '2026-07-31T22:00:00.000Z',
      '2026-08-31T22:00:00.000Z',
    ]);
    expect(days.at(-1)?.bySource).toMatchObject([{ source: 'a', runs: 1 }]);
  });

  test('are those of the present, as far as it has come, for the current month', async () => {
    const now = '2026-09-02T12:00:00Z';
    const { fields } = await new AnalyticsMemo().read(own.pool, all, new Date(now));
    const present = JSON.parse(`{${fields.slice(1)}}`);
    const { tokenUsage, tokenDailyBreakdown, scraping } = await read('2026-09', now);
    expect(present).toMatchObject({ tokenUsage, tokenDailyBreakdown, scraping });
    expect(await read('current', now)).toEqual(await read('2026-09', now));
  });

  test('have the sections that were asked for, with zeros for each day of a month without data', async () => {
    const { tokenUsage, tokenDailyBreakdown, scraping } = await read('2024-02', undefined, {
      tokenUsage: true,
      scraping: false,
    });
    expect([tokenUsage?.requests, tokenDailyBreakdown?.length, scraping]).toEqual([0, 29, undefined]);
  });

  test('begin with the month where the installation is, and are refused before', async () => {
    const future = { code: 'invalid', message: 'month must not be in the future.' };
    await expect(read('2026-09', '2026-08-31T21:59:59.999Z')).rejects.toMatchObject(future);
    expect((await read('2026-09', '2026-08-31T22:00:00Z')).tokenUsage?.inputTokens).toBe(8_000_000);
    await expect(read('9999-12')).rejects.toMatchObject(future);
  });

  test('are those of a month whose next one begins with two midnights', async () => {
    await own.sql("update settings set setting_value = 'America/Havana' where setting_key = 'timezone'");
    const october = await read('2026-10', '2026-11-01T04:00:00Z');
    expect(october.tokenUsage?.month).toBe('2026-10');
    expect(october.scrapingDailyBreakdown?.at(-1)?.endsAt).toBe('2026-11-01T04:00:00.000Z');
    expect((await read('current', '2026-11-01T04:30:00Z')).tokenUsage?.month).toBe('2026-11');
  });
});

describe('scraping', () => {
  beforeEach(() => own.sql('truncate scraping_runs, scraping_errors'));

  async function read(now: string) {
    const sections = await readScraping(own.pool, {}, new Date(now));
    parse(JSON.stringify({ settings: {}, profile: null, ...sections }));
    return sections;
  }

  test('is the sum of the runs of a month, in total and by source', async () => {
    await own.sql(`
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
    const { scraping } = await read('2026-09-02T03:30:00Z');
    expect(scraping).toEqual({
      month: '2026-09',
      timezone: 'UTC',
      runs: 5,
      succeededRuns: 2,
      failedRuns: 1,
      cancelledRuns: 1,
      successRate: 0.6667,
      pagesSucceeded: 17,
      pagesFailed: 6,
      pagesBlocked: 9,
      itemsScraped: 37,
      avgDurationMs: 11_001,
      lastRunAt: '2026-09-02T03:00:00.123Z',
      bySource: [
        {
          source: 'Beta',
          runs: 2,
          succeededRuns: 0,
          failedRuns: 0,
          cancelledRuns: 1,
          successRate: null,
          pagesSucceeded: 2,
          pagesFailed: 0,
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
          successRate: 0.6667,
          pagesSucceeded: 15,
          pagesFailed: 6,
          pagesBlocked: 2,
          itemsScraped: 36,
          avgDurationMs: 15_001,
          lastRunAt: '2026-09-02T01:00:00.000Z',
        },
      ],
    });
  });

  test('names the 200 sources with the most runs, and sums up all others as one', async () => {
    await own.sql(`
      insert into scraping_runs (run_id, source, status, started_at)
      select 'many ' || n, 'source ' || n % 230, 'succeeded', '2026-09-01T00:00:00Z' from generate_series(0, 429) as n
    `);
    const { runs, bySource } = (await read('2026-09-02T12:00:00Z')).scraping;
    const others = { source: '(other)', runs: 30, succeededRuns: 30, successRate: 1 };
    expect([runs, bySource.length]).toEqual([430, 201]);
    expect(bySource).toContainEqual(expect.objectContaining(others));
  });
});
