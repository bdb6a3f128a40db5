import fc from 'fast-check';
import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkIssueCounters, rebuildIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { periods, readStatistics } from '../../support/postgres/seeded.ts';
import { connectClients, databaseHere } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { checkAfter, statements } from '../random-statements.ts';

const own = databaseHere();
let first: Client;
let second: Client;

beforeAll(async () => {
  [first, second] = await Promise.all([own.connect(), own.connect()]);
});

beforeEach(() => first.query('truncate issues'));

async function expectRightCounts(clients: readonly Client[] = [first]): Promise<void> {
  expect(await checkIssueCounters(own.pool)).toEqual([]);
  for (const [index, period] of periods.entries()) {
    const { answer, truth } = await readStatistics(clients[index % clients.length] as Client, period);
    expect(answer, period).toEqual(truth);
  }
}

async function countDeltas(): Promise<unknown> {
  const { rows } = await first.query('select count(*)::integer as count from issue_count_deltas');
  return rows[0].count;
}

describe('the windows', () => {
  const hour = 60;
  const day = 24 * hour;
  /** Minutes before now: both sides of each limit, the future, and times outside all windows. */
  const ages = [
    -5000 * day,
    -90,
    0,
    ...[1, 24, 7 * 24, 30 * 24, 84 * 24, 365 * 24].flatMap(bothSides),
    9999 * day,
  ];

  function bothSides(hours: number): number[] {
    return [hours * hour - 1, hours * hour + 1];
  }

  test('are exact in any time zone, with infinite times too', async () => {
    await first.query(`set timezone = 'Asia/Kathmandu'`);
    for (const severity of ['Low', 'Älter', '']) {
      await first.query(
        `insert into issues (title, severity, created_at)
         select 'issue', $1, now() - age * interval '1 minute' from unnest($2::integer[]) as age
         union all select 'issue', $1, unnest(array['infinity', '-infinity']::timestamptz[])`,
        [severity, ages],
      );
    }
    await expectRightCounts();
    await first.query('reset timezone');
  });
});

describe('an hour with many issues', () => {
  /** Inserts one issue every so many milliseconds, on both sides of the edge of the last hour. */
  async function insertAroundEdge(count: number, everyMs: number): Promise<void> {
    await first.query(
      `insert into issues (title, severity, created_at)
       select 'issue', i % 3, now() - interval '1 hour' + (i - $1::integer / 2) * $2 * interval '1 millisecond'
       from generate_series(1, $1) as i`,
      [count, everyMs],
    );
    await first.query('select fold_issue_count_deltas()');
  }

  async function readSplits(): Promise<unknown[]> {
    const filled = 'select distinct width from issue_bucket_splits where is_filled order by width';
    return (await first.query(filled)).rows.map(({ width }) => width);
  }

  /** Returns how many issues a reader of a period finds by their time. */
  async function countIssuesRead(period: string): Promise<number> {
    // Also what Postgres has not reported yet.
    const found = `select pg_stat_get_xact_tuples_returned('issues_created_at_id_idx'::regclass)::integer as found`;
    await first.query('begin; set local enable_seqscan = off');
    const before = (await first.query(found)).rows[0].found;
    await first.query('select issue_statistics($1)', [period]);
    const after = (await first.query(found)).rows[0].found;
    await first.query('rollback');
    return after - before;
  }

  test.each([
    ['is also counted by minute', 1200, 1000, ['hour']],
    ['and with many in a minute also by second', 3000, 20, ['hour', 'minute']],
  ])('%s, so that few issues are read', async (_, count, everyMs, splits) => {
    await insertAroundEdge(count, everyMs);
    expect(await readSplits()).toEqual(splits);
    await first.query('vacuum analyze issues');
    expect(await countIssuesRead('hourly')).toBeLessThan(250);
    await expectRightCounts();

    await first.query(`update issues set severity = 'High', created_at = created_at + interval '61 seconds'`);
    await expectRightCounts();
    await rebuildIssueCounters(own.pool);
    expect(await readSplits()).toEqual(splits);
    await expectRightCounts();
    await first.query('delete from issues where id % 2 = 0');
    await first.query('select fold_issue_count_deltas()');
    await expectRightCounts();
  });

  test('is split at the end of the transaction, after all parts of an upsert', async () => {
    await insertAroundEdge(200, 1);
    await first.query('begin');
    await first.query(
      `insert into issues (id, title, severity, created_at)
       select coalesce(id, 1000000 + i), 'issue', 'High', now() - interval '1 hour' - i * interval '1 minute'
       from generate_series(1, 600) as i
       left join (select id, row_number() over (order by id) as place from issues) as old on place = i
       on conflict (id) do update set severity = excluded.severity, created_at = excluded.created_at`,
    );
    await first.query('select fold_issue_count_deltas()');
    await expectRightCounts();
    await first.query('commit');
    await expectRightCounts();
  });

  test('keeps the counts of writers that commit during the split', async () => {
    await second.query('begin');
    await second.query(
      `insert into issues (title, created_at) select 'issue', now() - interval '1 hour' from generate_series(1, 9)`,
    );
    await insertAroundEdge(1200, 1000);
    await expectRightCounts();
    await second.query('commit');
    await expectRightCounts();
  });
});

describe('the deltas of a statement', () => {
  test('are none if no counted column changes', async () => {
    await first.query(`insert into issues (title) select 'issue' from generate_series(1, 10)`);
    const before = await countDeltas();
    await first.query(`update issues set title = 'other', description = 'other', severity = severity`);
    expect(await countDeltas()).toBe(before);
    await expectRightCounts();
  });

  test('take texts of any length', async () => {
    const long = Array.from({ length: 5000 }, () => crypto.randomUUID()).join();
    await first.query('insert into issues (title, severity, category) values ($1, $1, $1)', [long]);
    await first.query('select fold_issue_count_deltas()');
    expect(await countDeltas()).toBe(0);
    await expectRightCounts();
  });

  test('of a bulk load work beside another under serializable', async () => {
    const load = `insert into issues (title, severity) select 'issue', i::text from generate_series(1, 999) i`;
    await first.query('begin isolation level serializable');
    await first.query('select 1 from issues');
    await second.query(load);
    await first.query(load);
    await first.query('commit');
    await expectRightCounts();
  });
});

test('concurrent writers never wait for each other, in any order of their changes', async () => {
  const severities = ['High', 'Low', 'High', 'Low'];
  for (const [client, order] of [
    [first, severities],
    [second, severities.toReversed()],
  ] as const) {
    // Ends a wait for the other transaction.
    await client.query(`begin; set local lock_timeout = '10s'`);
    for (const severity of order) {
      await client.query('insert into issues (title, severity) values ($1, $1)', [severity]);
      await client.query('select fold_issue_count_deltas()');
    }
  }
  await first.query('commit');
  await second.query('commit');
  await expectRightCounts();
});

test('changes that wait are read by their index, whatever the empty pages that a large import has left', async () => {
  await first.query(`
    insert into issue_count_deltas (severity, status, category, hour_starts_at, second_starts_at, change)
    select 'Low', 'Open', 'Other', date_trunc('hour', now()), date_trunc('hour', now()), 1 from generate_series(1, 20000)
  `);
  await first.query('delete from issue_count_deltas');
  await first.query('vacuum (truncate false, analyze) issue_count_deltas');
  await first.query('insert into issues (title) select generate_series(1, 10)');
  const reader = await own.connect();
  const scans = `
    select seq_scan::integer as whole, idx_scan::integer as by_index
    from pg_stat_xact_user_tables where relname = 'issue_count_deltas'
  `;
  for (const period of periods) {
    await reader.query('begin');
    await reader.query('select issue_statistics($1)', [period]);
    const { rows } = await reader.query<{ whole: number; by_index: number }>(scans);
    await reader.query('rollback');
    expect(rows, period).toEqual([{ whole: 0, by_index: expect.any(Number) }]);
    expect(rows[0]?.by_index, period).toBeGreaterThan(0);
  }
});

describe('any concurrent transactions', () => {
  const severity = fc.constantFrom('Low', 'Medium', 'High');
  const status = fc.constantFrom('Open', 'In Progress', 'Resolved', 'Closed');
  /** Hours before now, around the limits of the windows and across days. */
  const age = fc.oneof(
    fc.integer({ min: -30, max: 200 }),
    fc.constantFrom(720, 721, 2016, 8760, 8761, 50_000),
  );
  /** Selects issues by the remainder of their ids. */
  const some = fc.integer({ min: 0, max: 6 }).map((remainder) => `id % 7 = ${remainder}`);
  const change = fc.oneof(
    severity.map((key) => `severity = '${key}', category = severity`),
    status.map((key) => `status = '${key}'`),
    age.map((hours) => `created_at = created_at - ${hours} * interval '17 minutes'`),
    fc.constant(`title = 'other'`),
  );
  const statement = fc.oneof(
    statements(
      4,
      [severity, age, fc.integer({ min: 1, max: 900 })],
      (key, hours, count) =>
        `insert into issues (title, severity, category, created_at)
         select 'issue', '${key}', 'category ' || i % 5, now() - (${hours} + i % 3) * interval '1 hour' - i % 7 * interval '13 seconds'
         from generate_series(1, ${count}) as i`,
    ),
    statements(6, [change, some], (set, rows) => `update issues set ${set} where ${rows}`),
    statements(2, [some], (rows) => `delete from issues where ${rows}`),
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'select fold_issue_count_deltas()',
        'select rebuild_issue_counters()',
        'truncate issues',
      ),
    },
  );

  /** A transaction that may roll back a part to a savepoint, or all of it. */
  const transaction = fc
    .record({
      before: fc.array(statement, { maxLength: 2 }),
      inside: fc.array(statement, { maxLength: 2 }),
      undoInside: fc.boolean(),
      after: fc.array(statement, { maxLength: 2 }),
      end: fc.constantFrom('commit', 'commit', 'commit', 'rollback'),
    })
    .map(({ before, inside, undoInside, after, end }) => [
      'begin',
      ...before,
      'savepoint inside',
      ...inside,
      undoInside ? 'rollback to savepoint inside' : 'release savepoint inside',
      ...after,
      end,
    ]);

  test('leave counts that match the issues', async () => {
    const clients = await connectClients(own, 4);
    await checkAfter(transaction, { clients, runs: isSlowRun ? 20 : 5 }, () => expectRightCounts(clients));
  });
});
