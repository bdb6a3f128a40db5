import fc from 'fast-check';
import type { Client } from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { checkTokenUsageSums } from '../../../src/db/analytics/token-usage-sums.ts';
import { readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { connectClients, databaseHere } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { checkAfter, statements, transactionsOf } from '../random-statements.ts';

const own = databaseHere();

/** The days of a month on which the kept sums differ from the records, in the snapshot of one statement. */
const differences = `
  with month as (
    select array_agg(date order by date) as dates, array_agg(starts_at order by date) as day_starts,
      min(starts_at) as starts_at, max(ends_at) as ends_at
    from month_to_date($1, $2)
  ),
  kept as (
    select used.* from month, token_usage_by_day(dates, day_starts, starts_at, ends_at) as used
  ),
  actual as (
    select to_char(occurred_at at time zone $1, 'YYYY-MM-DD') as date, provider, model, count(*),
      count(*) filter (where not succeeded), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
    from month, token_usage_records
    where to_char(occurred_at at time zone $1, 'YYYY-MM-DD') = any (dates)
    group by 1, 2, 3
  )
  (select 'kept' as of, * from kept except all select 'kept', * from actual)
  union all
  (select 'actual', * from actual except all select 'actual', * from kept)
`;

/** Zones with the last instant of a month. On Lord Howe the clocks change in it. */
const months = [
  ['UTC', '2026-10-31T23:59:59Z'],
  ['Asia/Kathmandu', '2026-10-31T18:14:59Z'],
  ['Australia/Lord_Howe', '2026-10-31T12:59:59Z'],
] as const;

/** Starts of days in these zones, and a month of another year, in minutes after the start of that month in UTC. */
const borders = fc.constantFrom(0, -345, 3_690, 5_100, 900_000);

let clients: Client[];
let client: Client;

beforeAll(async () => {
  clients = await connectClients(own, 3);
  client = own.client;
});

beforeEach(() => client.query('truncate token_usage_records'));

test('beside and after any statements in concurrent transactions, the sums match the records, in any zone', async () => {
  const model = fc.constantFrom("'small'", "'large'", "repeat('long', 3000)");
  /** Minutes around the limits of the quarters, and unusual times. */
  const at = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(borders, fc.constantFrom(-1, 0, 14, 15))
        .map(([border, more]) => `timestamptz '2026-10-01Z' + interval '${border + more} min'`),
    },
    fc.constantFrom(`'infinity'`, `'-infinity'`, `'1969-12-31 23:59:59.999999Z'`, `'0044-03-15 BC'`),
  );
  const some = fc.integer({ min: 0, max: 4 }).map((rest) => `output_tokens % 5 = ${rest}`);
  const change = fc.oneof(
    model.map((name) => `model = ${name}`),
    at.map((time) => `occurred_at = ${time}`),
    fc.constantFrom('succeeded = not succeeded, input_tokens = input_tokens + 1', 'created_at = now()'),
  );
  const statement = fc.oneof(
    statements(
      4,
      [model, at, fc.integer({ min: 1, max: 300 })],
      (name, time, count) =>
        `insert into token_usage_records (provider, model, occurred_at, input_tokens, output_tokens, cached_input_tokens, succeeded)
         select 'p' || n % 2, ${name}, ${time}, n, n, n / 2, n % 3 > 0 from generate_series(1, ${count}) as n`,
    ),
    statements(4, [change, some], (set, which) => `update token_usage_records set ${set} where ${which}`),
    statements(1, [some], (which) => `delete from token_usage_records where ${which}`),
    fc.constantFrom(
      'truncate token_usage_records',
      'select fold_token_usage_deltas()',
      'select rebuild_token_usage_sums()',
    ),
  );
  let isDone = false;
  const expectRightDays = async () => {
    for (const [zone, lastInstant] of months)
      expect((await client.query(differences, [zone, lastInstant])).rows, zone).toEqual([]);
  };
  const reading = (async () => {
    while (!isDone) await expectRightDays();
  })();
  const check = async () => expect(await checkTokenUsageSums(own.pool)).toEqual([]);
  const runs = isSlowRun ? 15 : 4;
  await checkAfter(transactionsOf(statement), { clients, runs }, check).finally(() => {
    isDone = true;
  });
  await reading;
  await expectRightDays();
});

test('a model without remaining records is left out', async () => {
  await client.query(`insert into token_usage_records (model, input_tokens) values ('kept', 1), ('gone', 1)`);
  await client.query('select fold_token_usage_deltas()');
  await client.query(`delete from token_usage_records where model = 'gone'`);
  for (const fold of ['select 1', 'select fold_token_usage_deltas()']) {
    await client.query(fold);
    const { tokenUsage } = await readTokenUsage(own.pool, {});
    expect(tokenUsage.byModel.map(({ model }) => model)).toEqual(['kept']);
  }
});

test('a change of other columns adds no deltas, and few deltas are left', async () => {
  const countDeltas = async () => (await client.query('select from token_usage_deltas')).rowCount;
  // Each insert folds with a probability of 1/256. The seed makes the test deterministic.
  await client.query(`
    select setseed(0);
    do $$ begin
      for number in 1..2000 loop insert into token_usage_records (model) values ('small'); end loop;
    end $$
  `);
  const before = await countDeltas();
  expect(before).toBeLessThan(2_000);
  await client.query('update token_usage_records set created_at = now(), input_tokens = input_tokens');
  expect(await countDeltas()).toBe(before);
});
