import fc from 'fast-check';
import type { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { periods, readStatistics } from '../../support/postgres/seeded.ts';
import { connectClients, databaseHere, runConcurrently } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const connections = 4;
const own = databaseHere();
let clients: Client[];

beforeAll(async () => {
  clients = await connectClients(own, connections);
});

const severity = fc.constantFrom('Low', 'Medium', 'High');
const status = fc.constantFrom('Open', 'In Progress', 'Resolved', 'Closed');
/** Hours before now, around the limits of the windows and across days. */
const age = fc.oneof(fc.integer({ min: -30, max: 200 }), fc.constantFrom(720, 721, 2016, 8760, 8761, 50_000));
/** Selects issues by the remainder of their ids. */
const some = fc.integer({ min: 0, max: 6 }).map((remainder) => `id % 7 = ${remainder}`);

const insert = fc.tuple(severity, age, fc.integer({ min: 1, max: 900 })).map(
  ([key, hours, count]) =>
    `insert into issues (title, severity, category, created_at)
       select 'issue', '${key}', 'category ' || i % 5, now() - (${hours} + i % 3) * interval '1 hour' - i % 7 * interval '13 seconds'
       from generate_series(1, ${count}) as i`,
);
const statement = fc.oneof(
  { weight: 4, arbitrary: insert },
  {
    weight: 2,
    arbitrary: fc
      .tuple(severity, some)
      .map(([key, rows]) => `update issues set severity = '${key}', category = severity where ${rows}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(status, some)
      .map(([key, rows]) => `update issues set status = '${key}' where ${rows}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(age, some)
      .map(
        ([hours, rows]) =>
          `update issues set created_at = created_at - ${hours} * interval '17 minutes' where ${rows}`,
      ),
  },
  { weight: 1, arbitrary: some.map((rows) => `update issues set title = 'other' where ${rows}`) },
  { weight: 2, arbitrary: some.map((rows) => `delete from issues where ${rows}`) },
  { weight: 1, arbitrary: fc.constant('select fold_issue_count_deltas()') },
  { weight: 1, arbitrary: fc.constant('select rebuild_issue_counters()') },
  { weight: 1, arbitrary: fc.constant('truncate issues') },
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

test('after any concurrent transactions the counts match the issues', async () => {
  const work = fc.array(fc.array(transaction, { maxLength: 3 }), {
    minLength: connections,
    maxLength: connections,
  });
  await fc.assert(
    fc.asyncProperty(work, async (perClient) => {
      await runConcurrently(clients, perClient);
      expect(await checkIssueCounters(own.pool)).toEqual([]);
      for (const [index, period] of periods.entries()) {
        const { answer, truth } = await readStatistics(clients[index % connections] as Client, period);
        expect(answer, period).toEqual(truth);
      }
    }),
    { numRuns: isSlowRun ? 20 : 5, endOnFailure: true },
  );
});
