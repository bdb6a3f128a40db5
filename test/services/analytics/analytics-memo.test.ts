import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';
import { openDatabase, type Pool } from '../../../src/db/connection/database.ts';
import { AnalyticsMemo } from '../../../src/services/analytics/analytics-memo.ts';
import { openQueryTap, type QueryTap } from '../../support/postgres/control.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();
const all = { tokenUsage: true, scraping: true };
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

/** Reads an answer and validates it with the contract's schema. */
async function read(memo: AnalyticsMemo, now: string, shown = all) {
  tap.reset();
  const { settings, fields } = await memo.read(pool, shown, new Date(now));
  const text = `{"settings":${JSON.stringify(settings)},"profile":null${fields}}`;
  expect(operationOf('settings.show').output.parse(JSON.parse(text))).toBeDefined();
  return { text, statements: tap.statements.length };
}

const noon = '2026-09-20T12:00:00Z';
const record = `insert into token_usage_records (record_id, model, occurred_at, input_tokens) values ('r1', 'small', '2026-09-02Z', 1000000)`;
const set = (key: string, value: string) =>
  `insert into settings (setting_key, setting_value) values ('${key}', '${value}')
   on conflict (setting_key) do update set setting_value = excluded.setting_value`;

describe('a remembered answer', () => {
  const changes = [
    record,
    set('token_prices', '{"small":{"input":"3","output":"1"}}'),
    set('token_budgets', '{"total":"50"}'),
    `update token_usage_records set input_tokens = 2000000`,
    'select fold_token_usage_deltas()',
    `update token_usage_records set occurred_at = '2026-08-31T23:30Z'`,
    set('timezone', 'Europe/Berlin'),
    set('currency', 'EUR'),
    set('motto', 'Be kind'),
    `insert into token_alerts (metric, threshold, limit_amount, current_amount) values ('cost', 0.8, 50, 41)`,
    `insert into scraping_runs (run_id, source, started_at) values ('run', 'alpha', '2026-09-02Z')`,
    `insert into scraping_errors (run_id, message) values ('run', 'Too slow')`,
    `update scraping_runs set source = 'beta'`,
    'delete from token_usage_records',
    record.replace('r1', 'r2'),
    'truncate token_usage_records',
    `update token_usage_sums set requests = 1; select rebuild_token_usage_sums()`,
    `delete from settings where setting_key = 'token_budgets'`,
  ];

  test('is that of a first read after any change, and else takes one statement', async () => {
    const memo = new AnalyticsMemo();
    let before = (await read(memo, noon)).text;
    for (const change of changes) {
      await own.client.query(change);
      const changed = await read(memo, noon);
      expect(changed.text, change).toBe((await read(new AnalyticsMemo(), noon)).text);
      const isOther = !/fold|rebuild|truncate/.test(change);
      expect(changed.text !== before, change).toBe(isOther || change.startsWith('truncate'));
      expect(await read(memo, noon), change).toEqual({ text: changed.text, statements: 1 });
      before = changed.text;
    }
  });

  test('ends with its day', async () => {
    await own.client.query(
      `${record}; ${set('timezone', 'Asia/Kathmandu')}; ${set('token_budgets', '{"total":"50"}')}`,
    );
    const memo = new AnalyticsMemo();
    for (const now of [
      '2026-09-20T18:14:59.999Z',
      '2026-09-20T18:15:00Z',
      '2026-09-30T18:14:59.999Z',
      '2026-09-30T18:15:00Z',
      '2026-09-30T18:14:59Z',
    ]) {
      const first = await read(new AnalyticsMemo(), now);
      const { text, statements } = await read(memo, now);
      expect(text).toBe(first.text);
      expect(statements).toBeGreaterThan(1);
    }
  });

  test('has the projected cost of the present time', async () => {
    await own.client.query(set('token_prices', '{"small":{"input":"3","output":"1"}}'));
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

  test('is shared by the sections', async () => {
    const memo = new AnalyticsMemo();
    const { text } = await read(memo, noon);
    const { tokenUsage, scraping } = JSON.parse(text);
    const parts = [
      [{ tokenUsage: true, scraping: false }, { tokenUsage }],
      [{ tokenUsage: false, scraping: true }, { scraping }],
    ] as const;
    for (const [shown, expected] of parts) {
      const part = await read(memo, noon, shown);
      expect(part.statements).toBe(1);
      expect(JSON.parse(part.text)).toMatchObject(expected);
      expect(Object.keys(JSON.parse(part.text))).toHaveLength(shown.tokenUsage ? 5 : 4);
    }
  });
});
