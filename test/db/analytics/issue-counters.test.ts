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

test('the windows are exact in any time zone, with infinite times too', async () => {
  await first.query(`set timezone = 'Asia/Kathmandu'`);
  // Both sides of each limit, and the future.
  await first.query(`
    insert into issues (title, severity, created_at)
    select 'issue', severity, now() - age * interval '1 hour' + side * interval '1 minute'
    from unnest(array['Low', 'Älter', '']) as severity, unnest(array[0, 1, 24, 168, 720, 2016, 8760]) as age,
      unnest(array[-1, 1]) as side
    union all select 'issue', 'Low', unnest(array['infinity', '-infinity']::timestamptz[])
  `);
  await expectRightCounts();
  await first.query('reset timezone');
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

  test.each([
    ['is also counted by minute', 1200, 1000, ['hour']],
    ['and with many in a minute also by second', 3000, 20, ['hour', 'minute']],
  ])('%s', async (_, count, everyMs, splits) => {
    await insertAroundEdge(count, everyMs);
    expect(await readSplits()).toEqual(splits);
    await expectRightCounts();

    await first.query(`update issues set severity = 'High', created_at = created_at + interval '61 seconds'`);
    await expectRightCounts();
    await rebuildIssueCounters(own.pool);
    expect(await readSplits()).toEqual(splits);
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

test('the deltas of a statement take texts of any length, and are none if no counted column changes', async () => {
  const long = Array.from({ length: 5000 }, () => crypto.randomUUID()).join();
  await first.query('insert into issues (title, severity, category) values ($1, $1, $1)', [long]);
  await first.query('select fold_issue_count_deltas()');
  await first.query(`update issues set title = 'other', description = 'other', severity = severity`);
  const { rows } = await first.query('select from issue_count_deltas');
  expect(rows).toEqual([]);
  await expectRightCounts();
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

test('any concurrent transactions leave counts that match the issues', async () => {
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

  const clients = await connectClients(own, 4);
  await checkAfter(transaction, { clients, runs: isSlowRun ? 20 : 5 }, () => expectRightCounts(clients));
});
