import { beforeEach, describe, expect, test } from 'vitest';
import { refreshTokenAlerts } from '../../../src/services/analytics/token-alerts.ts';
import { type ApiResponse, atOnce } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();
const { sql } = backoffice;

beforeEach(async () => {
  await sql('truncate token_usage_records, token_alerts');
  await sql('delete from settings');
  await sql('delete from events');
});

const post = (body: unknown) => backoffice.api.post('/token-usage', body);

function record(record_id: string, more: Record<string, unknown> = {}) {
  return { record_id, model: 'small', input_tokens: 1_000, output_tokens: 100, ...more };
}

const records = (count: number, of: string) =>
  Array.from({ length: count }, (_, index) => record(`${of} ${index}`));

const recorded = (count: number, duplicates: number): ApiResponse => ({
  status: 200,
  body: { success: true, recorded: count, duplicates },
});

/** Returns the events so far, in order, with their data. */
async function events(): Promise<string[]> {
  const rows = await sql('select type, data from events order by id');
  return rows.map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
}

const shown = () => backoffice.superadmin.client.call('settings.show', { section: 'token-usage' });
const usage = async () => (await shown()).tokenUsage;

describe('recording', () => {
  test('takes a batch or a single record, with all fields', async () => {
    const whole = {
      ...record('a'),
      occurred_at: '2026-01-31T10:30:00.123+01:00',
      provider: 'example-ai',
      cached_input_tokens: 1_000,
      succeeded: false,
    };
    expect(await post({ records: [whole, record('b', { provider: null, occurred_at: null })] })).toEqual(
      recorded(2, 0),
    );
    expect(await post(record('c'))).toEqual(recorded(1, 0));
    const rows = await sql(
      `select record_id, occurred_at, provider, model, input_tokens::integer, output_tokens::integer,
         cached_input_tokens::integer, succeeded, now() - occurred_at < interval '1 minute' as is_recent
       from token_usage_records order by record_id`,
    );
    expect(rows[0]).toEqual({
      ...whole,
      occurred_at: new Date('2026-01-31T09:30:00.123Z'),
      is_recent: false,
    });
    expect(rows[1]).toMatchObject({ provider: '', cached_input_tokens: 0, succeeded: true, is_recent: true });
  });

  test('counts a record once, however often it is sent, as one event per batch with something new', async () => {
    expect(await post({ records: [record('a'), record('a', { input_tokens: 9 }), record('b')] })).toEqual(
      recorded(2, 1),
    );
    expect(await events()).toEqual(['token_usage.recorded {"records":2,"duplicates":1}']);
    const [audit] = await sql(
      `select * from audit_records where operation = 'tokenUsage.record' order by id desc`,
    );
    expect(audit).toMatchObject({ subject_id: null, before: null, after: { records: 2, duplicates: 1 } });
    expect(await post({ records: [record('a', { input_tokens: 9 }), record('c')] })).toEqual(recorded(1, 1));
    expect(await post(record('c'))).toEqual(recorded(0, 1));
    expect(await usage()).toMatchObject({ requests: 3, inputTokens: 3_000 });
    expect(await events()).toHaveLength(2);
  });

  test('takes a thousand records', async () => {
    expect(await post({ records: records(1_000, 'one of many') })).toEqual(recorded(1_000, 0));
    expect(await usage()).toMatchObject({ requests: 1_000, inputTokens: 1_000_000 });
  });
});

test('concurrent batches in opposite orders count once, raise each alert once, and do not deadlock', async () => {
  await sql(`insert into settings values ('token_budgets', '{"total":"1.00"}'),
    ('token_prices', '{"small":{"input":"10","output":"10"}}')`);
  const all = records(300, 'opposed');
  const answers = await atOnce(30, (turn) => {
    const own = all.filter((_record, index) => index % 3 !== turn % 3);
    return post({ records: turn % 2 === 0 ? own : own.toReversed() });
  });
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const counted = answers.map(({ body }) => (body as { recorded: number }).recorded);
  expect(counted.reduce((sum, count) => sum + count)).toBe(300);
  expect(await usage()).toMatchObject({ requests: 300, inputTokens: 300_000, outputTokens: 30_000 });
  const eventsOf = async (start: string) => (await events()).filter((event) => event.startsWith(start));
  const ofBatches = await eventsOf('token_usage.recorded');
  expect(ofBatches).toHaveLength(counted.filter((count) => count > 0).length);
  // A request that found the alerts locked left them to a job, which does this.
  await refreshTokenAlerts(backoffice.service.services);
  // 330,000 tokens at 10 per million: 3.30, and each threshold fired once, whichever request reached it.
  const raised = await eventsOf('token_alert.raised');
  expect(raised.filter((event) => event.includes('"metric":"cost"'))).toHaveLength(3);
  expect(await sql(`select from token_alerts where metric = 'cost'`)).toHaveLength(3);
});

describe('alerts', () => {
  const costAlerts = async () => (await shown()).tokenAlerts?.filter(({ metric }) => metric === 'cost');
  const put = (key: string, value: unknown) => backoffice.api.put('/settings', { key, value });
  const types = async () =>
    (await sql(`select type from events where data ->> 'metric' = 'cost' order by id`)).map(
      ({ type }) => type,
    );

  beforeEach(async () => {
    await put('token_prices', { small: { input: '1.00', output: '0' } });
    await put('token_budgets', { total: '10.00' });
    await sql('delete from events');
  });

  test('are raised in the transaction that records usage, in the name of its actor', async () => {
    await post(record('a', { input_tokens: 8_000_000 }));
    expect(await costAlerts()).toMatchObject([
      { threshold: 0.8, limit: '10.00', current: '8.00', severity: 'warning', status: 'firing' },
      { threshold: 0.5, limit: '10.00', current: '8.00', severity: 'info', status: 'firing' },
    ]);
    expect(await types()).toEqual(['token_alert.raised', 'token_alert.raised']);
    const [audit] = await sql(
      `select * from audit_records where event = 'token_alert.raised' and after ->> 'threshold' = '0.8' order by id desc`,
    );
    const amounts = { threshold: 0.8, limit: '10.00', current: '8.00' };
    expect(audit).toMatchObject({
      actor_name: backoffice.superadmin.email,
      operation: 'tokenUsage.record',
      before: null,
      after: { metric: 'cost', model: null, ...amounts, status: 'firing' },
    });
  });

  test('resolve and fire again when settings change', async () => {
    await post(record('a', { input_tokens: 5_000_000 }));
    await put('token_budgets', { total: '20.00' });
    expect(await types()).toEqual(['token_alert.raised', 'token_alert.resolved']);
    await put('token_prices', { small: { input: '2.00', output: '0' } });
    expect(await types()).toEqual(['token_alert.raised', 'token_alert.resolved', 'token_alert.raised']);
    expect(await costAlerts()).toMatchObject([{ threshold: 0.5, limit: '20.00', current: '10.00' }]);
    expect(await backoffice.api.delete('/settings?key=token_budgets')).toMatchObject({ status: 200 });
    expect(await costAlerts()).toMatchObject([{ status: 'resolved' }]);
  });

  test('do not fire, and nothing fails, if the settings cannot be parsed', async () => {
    await put('token_prices', 'nonsense');
    await put('token_budgets', '[');
    await put('timezone', 'Mars/Olympus');
    expect(await post(record('a', { input_tokens: 5_000_000 }))).toEqual(recorded(1, 0));
    expect(await costAlerts()).toEqual([]);
    expect(await usage()).toMatchObject({ cost: '0.0000', unpricedTokens: 5_000_100, budget: null });
  });
});
