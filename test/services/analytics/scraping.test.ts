import { beforeEach, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { readScraping } from '../../../src/services/analytics/sections.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

beforeEach(async () => {
  await own.client.query('truncate scraping_runs, scraping_errors');
});

/** Reads at an instant and validates the answer with the contract's schema. */
async function read(now: string) {
  const sections = await readScraping(own.pool, {}, new Date(now));
  operationOf('settings.show').output.parse({ settings: {}, profile: null, ...sections });
  return sections;
}

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

test('empty tables read as zeros, and as null for ratios and means', async () => {
  const { scraping, scrapingErrors } = await read('2026-09-02T12:00:00Z');
  expect(scraping).toEqual({ month: '2026-09', timezone: 'UTC', ...noRuns, bySource: [] });
  expect(scrapingErrors).toEqual([]);
});

test('sums the runs of a month in total and by source', async () => {
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
  const { scraping } = await read('2026-09-02T03:30:00Z');
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

test('returns the newest 20 errors of any month', async () => {
  await own.client.query(`insert into scraping_runs (run_id, source) values ('a1', 'alpha')`);
  await own.client.query(`
    insert into scraping_errors (id, run_id, url, code, http_status, message, occurred_at)
    select n, 'a1', 'https://example.com/' || n, 'TIMEOUT', nullif(n, 21) + 500, 'Too slow.',
      timestamptz '2026-07-01T00:00:00Z' + n / 2 * interval '1 hour'
    from generate_series(1, 21) as n
  `);
  const { scrapingErrors } = await read('2026-09-02T00:00:00Z');
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

test('names the 200 sources with the most runs, and sums up all others as one', async () => {
  await own.client.query(`
    insert into scraping_runs (run_id, source, status, started_at)
    select 'many ' || n || ' ' || again, 'source ' || n, 'succeeded', '2026-09-01T00:00:00Z'
    from generate_series(1, 230) as n cross join lateral generate_series(1, case when n > 30 then 2 else 1 end) as again
  `);
  const { scraping } = await read('2026-09-02T12:00:00Z');
  expect(scraping.bySource).toHaveLength(201);
  expect(scraping.bySource.find(({ source }) => source === '(other)')).toMatchObject({
    runs: 30,
    succeededRuns: 30,
    successRate: 1,
  });
  expect(scraping.runs).toBe(30 + 2 * 200);
});
