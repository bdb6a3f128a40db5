import fc from 'fast-check';
import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkTokenUsageSums } from '../../../src/db/analytics/token-usage-sums.ts';
import { readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { connectClients, databaseHere } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { checkAfter, statements, transactionsOf } from '../random-statements.ts';

const own = databaseHere();

describe('usage by day', () => {
  let writers: Client[];
  let reader: Client;

  beforeAll(async () => {
    [reader, ...writers] = (await connectClients(own, 4)) as [Client, ...Client[]];
  });

  /** Zones with the last instant of a month. The clocks change in some of these months, in each zone at another hour. */
  const months = [
    ['UTC', '2026-10-31T23:59:59Z'],
    ['Europe/Berlin', '2026-10-31T22:59:59Z'],
    ['America/New_York', '2026-11-01T12:00:00Z'],
    ['Asia/Kathmandu', '2026-10-31T18:14:59Z'],
    ['Australia/Lord_Howe', '2026-10-31T12:59:59Z'],
    ['Pacific/Marquesas', '2026-11-01T09:29:59Z'],
  ] as const;

  /** The rows that differ between the sums and the records, in the snapshot of one statement. */
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

  /** Inserts records from all of March to November, most of them around the borders of the days. */
  const insert = (seed: number, count: number) => `
  insert into token_usage_records
    (occurred_at, provider, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
  select timestamptz '2026-03-01Z' + interval '5 minutes' * ((n * 7919 + ${seed} * 104729) % 72000),
    'p' || n % 2, 'm' || n % 5, n, n % 11, n % 3, n % 4 > 0
  from generate_series(3, ${count}) as n
`;

  const changes = [
    (seed: number) => insert(seed, 300),
    (seed: number) =>
      `update token_usage_records set occurred_at = occurred_at + interval '15 min' where input_tokens % 37 = ${seed % 37}`,
    (seed: number) =>
      `update token_usage_records set input_tokens = input_tokens + 1, succeeded = not succeeded where input_tokens % 41 = ${seed % 41}`,
    (seed: number) => `delete from token_usage_records where input_tokens % 43 = ${seed % 43}`,
    () => 'select fold_token_usage_deltas()',
  ];

  test('in any zone and beside any writers, the days of a month match the records', async () => {
    await reader.query(insert(0, 6_000));
    let isDone = false;
    const writing = writers.map(async (writer, number) => {
      for (let round = number; !isDone; round += 1) {
        await writer.query('begin');
        for (const change of changes.slice(round % 3)) {
          // Two updates of the same rows in other orders may deadlock, and one of them is undone.
          const done = await writer.query(change(round)).then(
            () => true,
            (error) => (error.code === '40P01' ? false : Promise.reject(error)),
          );
          if (!done) break;
        }
        await writer.query(round % 4 === 0 ? 'rollback' : 'commit');
      }
    });
    try {
      for (const [zone, at] of months) {
        expect((await reader.query(differences, [zone, at])).rows, `${zone} at ${at}`).toEqual([]);
      }
    } finally {
      isDone = true;
      await Promise.all(writing);
    }
    const { rows } = await reader.query(
      'select count(distinct starts_at)::integer as days from token_usage_buckets',
    );
    expect(rows[0].days).toBeGreaterThan(200);
  });
});

describe('sums of usage', () => {
  let clients: Client[];
  let client: Client;

  beforeAll(async () => {
    clients = await connectClients(own, 3);
    client = own.client;
  });

  beforeEach(() => client.query('truncate token_usage_records'));

  async function rows(table: string): Promise<number> {
    const { rows: found } = await client.query(`select count(*)::integer as rows from ${table}`);
    return found[0].rows;
  }

  test('after any statements in concurrent transactions, the sums match the records', async () => {
    const model = fc.constantFrom("'small'", "'large'", "repeat('long', 3000)");
    /** Minutes around the limits of the quarters, and unusual times. */
    const at = fc.oneof(
      fc
        .constantFrom(-1, 0, 14, 15, 16, 900_000)
        .map((minutes) => `timestamptz '2026-09-01Z' + interval '${minutes} min'`),
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
    await checkAfter(transactionsOf(statement), { clients, runs: isSlowRun ? 15 : 4 }, async () =>
      expect(await checkTokenUsageSums(own.pool)).toEqual([]),
    );
  });

  test('a model without remaining records is left out', async () => {
    await client.query(
      `insert into token_usage_records (model, input_tokens) values ('kept', 1), ('gone', 1)`,
    );
    await client.query('select fold_token_usage_deltas()');
    await client.query(`delete from token_usage_records where model = 'gone'`);
    for (const fold of ['select 1', 'select fold_token_usage_deltas()']) {
      await client.query(fold);
      const { tokenUsage } = await readTokenUsage(own.pool, {});
      expect(tokenUsage.byModel.map(({ model }) => model)).toEqual(['kept']);
    }
  });

  test('a change of other columns adds no deltas, and few deltas are left', async () => {
    // Each insert folds with a probability of 1/256. The seed makes the test deterministic.
    await client.query(`
    select setseed(0);
    do $$ begin
      for number in 1..2000 loop insert into token_usage_records (model) values ('small'); end loop;
    end $$
  `);
    expect(await rows('token_usage_deltas')).toBeLessThan(2_000);
    const before = await rows('token_usage_deltas');
    await client.query('update token_usage_records set created_at = now(), input_tokens = input_tokens');
    expect(await rows('token_usage_deltas')).toBe(before);
  });
});
