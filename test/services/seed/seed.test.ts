import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inTransaction, withConnection } from '../../../src/db/connection/own-connection.ts';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { copyRows, isDuplicateKey } from '../../../src/db/seed/seed.ts';
import { type SeedOptions, type SeedResult, seed } from '../../../src/services/seed/index.ts';
import {
  checksums,
  queryRows,
  seedUntil,
  smallSeed,
  withSeededDatabase,
  wrongCounters,
} from '../../support/postgres/seeded.ts';
import { createEmptyDatabase, createTestDatabase, databaseHere } from '../../support/postgres.ts';

test('a seed refuses a database without tables, unless it may create them, and with content, unless it appends', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const refused = (options: Partial<SeedOptions>, code: string, message: string) =>
    expect(seed(database.url, { ...smallSeed, ...options })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  await refused({}, 'failed', 'migrate');
  // As the command does with the embedded database.
  const migrate = () => migrateUp({ databaseUrl: database.url });
  expect(await seed(database.url, { ...smallSeed, migrate })).toMatchObject({ issues: 800 });
  const before = await checksums(database);
  await refused({ randomSeed: 8 }, 'conflict', 'append');
  await refused({ append: true }, 'conflict', 'another random seed');
  expect(await checksums(database)).toEqual(before);

  const added = await seed(database.url, { ...smallSeed, append: true, randomSeed: 8 });
  expect(added).toMatchObject({ issues: 800, settings: 0 });
  const count = 'select count(*)::integer as issues from issues';
  expect(await queryRows(database, count)).toEqual([{ issues: 1_600 }]);
  expect(await wrongCounters(database)).toEqual([]);
});

describe('the rows of a seed', () => {
  const own = databaseHere();
  let made: SeedResult;
  let sums: Awaited<ReturnType<typeof checksums>>;

  beforeAll(async () => {
    made = await seed(own.url, smallSeed);
    sums = await checksums(own);
  });

  test('are the same for the same seed, time and numbers, whatever the number of others, and others for another seed', async () => {
    await withSeededDatabase({}, async (other) => expect(await checksums(other)).toEqual(sums));
    await withSeededDatabase({ randomSeed: 8 }, async (other) => {
      const others = Object.entries(await checksums(other));
      const same = others.filter(([table, sum]) => sums[table as keyof typeof sums] === sum);
      expect(same.map(([table]) => table)).toEqual(['settings']);
    });
    await withSeededDatabase({ issues: 3 }, async (other) => {
      const { issues, ...others } = await checksums(other);
      expect(sums).toMatchObject(others);
      expect(issues).not.toBe(sums.issues);
    });
  });

  test('are as many as the result says, and counted for the charts', async () => {
    const sources = {
      issues: 'issues',
      conversations: 'conversations',
      messages: 'conversation_messages',
      issueLinks: 'issue_links',
      assigned: 'issues where assignee_id is not null',
      labelled: `(select labels from issues union all select labels from conversations) as rows where labels <> '{}'`,
      comments: 'comments',
      savedReplies: 'saved_replies',
      settings: 'settings',
      tokenUsageRecords: 'token_usage_records',
      scrapingRuns: 'scraping_runs',
    };
    const counts = Object.entries(sources).map(
      ([name, rows]) => `(select count(*)::integer from ${rows}) as "${name}"`,
    );
    const [counted] = await queryRows(own, `select ${counts}`);
    expect(counted).toEqual(made);
    expect(made).toMatchObject({ issues: 800, conversations: 150, savedReplies: 5 });
    expect(Math.abs(made.messages / made.conversations - 5)).toBeLessThan(1.5);
    expect(await wrongCounters(own)).toEqual([]);
  });

  const until = `timestamptz '${seedUntil}'`;

  test.for([
    [
      'link some issues to earlier conversations',
      `select count(*) > 5 and bool_and(issue.created_at >= conversation.created_at and link.created_at = issue.created_at)
       from issue_links as link
       join issues as issue on issue.id = issue_id join conversations as conversation on conversation.id = conversation_id`,
    ],
    [
      'are from the two years before, and none is in the future',
      `select max(other) = ${until} and min(one) > ${until} - interval '731 days' and bool_and(coalesce(other >= one, true))
       from (
         select created_at, updated_at from issues
         union all select created_at, updated_at from conversations
         union all select created_at, created_at from conversation_messages
         union all select occurred_at, created_at from token_usage_records
         union all select started_at, finished_at from scraping_runs
         union all select updated_at, updated_at from settings
       ) as times (one, other)`,
    ],
    [
      'have issues in the order of their ids, of each severity, and mostly closed',
      `select bool_and(coalesce(is_later, true)) and count(distinct severity) = 4
         and count(*) filter (where status in ('Open', 'In Progress')) between 1 and 0.25 * 800
       from (select *, created_at >= lag(created_at) over (order by id) as is_later from issues) as issue`,
    ],
    [
      'have conversations that start with their visitor, and are settled only if an admin wrote last',
      `select count(distinct status) = 4 and bool_and(senders[1] = 'visitor')
         and bool_and(status = 'open' or senders[cardinality(senders)] = 'admin')
       from conversations join (
         select conversation_id as id, array_agg(sender_type order by created_at, id) as senders
         from conversation_messages group by 1
       ) as thread using (id)`,
    ],
    [
      'have no unfilled placeholder',
      `select not exists (
         select from issues where concat(title, description, steps_to_reproduce) ~ '[{}]'
         union all select from conversation_messages where concat(content, ai_draft) ~ '[{}]'
         union all select from conversations where subject ~ '[{}]')`,
    ],
  ] as const)('%s', async ([, rule]) => {
    expect(await queryRows(own, `select (${rule}) as fits`)).toEqual([{ fits: true }]);
  });
});

test('rows that are copied keep every text, number and null, and none is left if one has the key of another', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const setting = (setting_key: string, setting_value: string) => ({ setting_key, setting_value });
  const texts = ['\t', '\\', '\\N', '\\.', 'a\nb\r\nc', '', 'naïve 🙂', 'x'.repeat(200_000), ' '];
  const rows = texts.map((value, index) => setting(`text_${index}`, value));
  await withConnection(database.url, async (connection) => {
    const settings = async () =>
      (await connection.query('select setting_key, setting_value from settings order by 1')).rows;
    const twice = [setting('twice', '1'), setting('twice', '2')];
    const copying = inTransaction(connection, () => copyRows(connection, 'settings', twice));
    expect(isDuplicateKey(await copying.catch((thrown: unknown) => thrown))).toBe(true);
    await copyRows(connection, 'settings', rows);
    expect(await settings()).toEqual(rows);

    await connection.query('create temporary table plain (number bigint, flag boolean, text text)');
    const row = { number: 2 ** 53 - 1, flag: false, text: null };
    await copyRows(connection, 'plain', [row]);
    const copied = await connection.query('select number::text, flag, text from plain');
    expect(copied.rows).toEqual([{ ...row, number: '9007199254740991' }]);
  });
});
