import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fillPlaceholders } from '../../../src/contract/saved-reply-text.ts';
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
    expect(made.messages / made.conversations).toBeGreaterThan(3.5);
    expect(made.messages / made.conversations).toBeLessThan(6.5);
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
      'have comments on open issues, and of the team on conversations',
      `select count(*) filter (where status in ('Open', 'In Progress') and comments.created_at >= issues.created_at) = 6
         and count(*) filter (where conversation_id is not null and author_name like '%@%') = 4
       from comments left join issues on issues.id = issue_id`,
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
         union all select occurred_at, occurred_at from scraping_errors
         union all select updated_at, updated_at from settings
       ) as times (one, other)`,
    ],
    [
      'have issues in the order of their ids, of many titles, mostly on weekdays and in office hours, more and more',
      `select count(distinct title) > 100 and bool_and(coalesce(is_later, true))
         and count(*) filter (where extract(isodow from at) > 5) < 0.25 * 800
         and count(*) filter (where extract(hour from at) between 8 and 17) > 0.55 * 800
         and count(*) filter (where created_at > ${until} - interval '1 year') > 0.5 * 800
       from (
         select *, created_at at time zone 'UTC' as at, created_at >= lag(created_at) over (order by id) as is_later
         from issues
       ) as issue`,
    ],
    [
      'have issues of each severity, of which the old ones are mostly closed',
      `select count(distinct severity) = 4 and count(*) filter (where open) < 0.25 * 800
         and count(*) filter (where open and is_young) > 0.4 * count(*) filter (where is_young)
       from (
         select severity, status in ('Open', 'In Progress') as open, created_at > ${until} - interval '7 days' as is_young
         from issues
       ) as issue`,
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

  test('have saved replies with placeholders that are known', async () => {
    const replies = await queryRows<{ content: string }>(own, 'select content from saved_replies');
    const values = { visitor_name: 'V', admin_name: 'A', conversation_id: 'C' };
    for (const { content } of replies) expect(fillPlaceholders(content, values)).not.toContain('{{');
  });

  test('are partly assigned to the active admins that exist', async () => {
    const assigned = await createTestDatabase();
    onTestFinished(() => assigned.drop());
    await queryRows(
      assigned,
      `insert into admins (id, email, username, is_active)
       values ('a', 'a@example.com', 'a', 1), ('b', 'b@example.com', 'b', 1), ('c', 'c@example.com', 'c', 0)`,
    );
    const { assigned: count } = await seed(assigned.url, smallSeed);
    const rows = await queryRows(
      assigned,
      `select array_agg(distinct assignee_id order by assignee_id) as ids, count(*)::integer
       from (select assignee_id from issues union all select assignee_id from conversations) as assigned
       where assignee_id is not null`,
    );
    expect(rows).toEqual([{ ids: ['a', 'b'], count }]);
    expect(count).toBeGreaterThan(30);
  });
});

describe('a conversation', () => {
  const own = databaseHere();

  beforeAll(async () => {
    await seed(own.url, { ...smallSeed, issues: 0, conversations: 1_500, messagesPerConversation: 6 });
  });

  /** Returns the conversations for which a condition on their ordered messages is true. */
  async function conversationsWhere(condition: string): Promise<object[]> {
    return await queryRows(
      own,
      `with message as (
         select *,
           lag(sender_type) over turn as sender_before,
           lag(id) over turn as id_before,
           row_number() over turn as number,
           count(*) over (partition by conversation_id) as messages
         from conversation_messages window turn as (partition by conversation_id order by created_at, id)
       )
       select conversation.id
       from conversations as conversation
       left join message on message.conversation_id = conversation.id
       group by conversation.id
       having ${condition}`,
    );
  }

  test.each([
    [
      'starts with its visitor, and is as old as its first message and as new as its newest',
      `bool_or(number = 1 and sender_type <> 'visitor')
         or min(message.created_at) is distinct from conversation.created_at
         or max(message.created_at) <> conversation.updated_at`,
    ],
    [
      'alternates between visitor and admin, except for a visitor who asks again at the end',
      `bool_or(sender_type = sender_before and (sender_type = 'admin' or number < messages))`,
    ],
    [
      'has unread messages only after the last reply',
      `bool_or(sender_type = 'visitor' and message.status = 'sent' and message.id < (
         select max(id) from conversation_messages
         where conversation_id = conversation.id and sender_type = 'admin'))`,
    ],
    [
      'is settled only if an admin wrote last',
      `conversation.status in ('resolved', 'closed', 'pending')
         and (array_agg(sender_type order by number desc))[1] <> 'admin'`,
    ],
    [
      'names one agent as the sender of all replies',
      `bool_or((sender_type = 'admin') <> (sent_by is not null)) or count(distinct sent_by) > 1`,
    ],
    [
      'has drafts only for unread messages, and approved ones only of the previous message',
      `bool_or(from_draft_of <> id_before)
         or bool_or(ai_draft is not null and (sender_type <> 'visitor' or message.status <> 'sent'))`,
    ],
  ])('%s', async (_rule, violation) => {
    expect(await conversationsWhere(violation)).toEqual([]);
  });

  test('has any status, sometimes unread messages, and rarely drafts', async () => {
    const statuses = await queryRows(own, 'select distinct status from conversations order by 1');
    expect(statuses).toEqual(['closed', 'open', 'pending', 'resolved'].map((status) => ({ status })));
    const found = await queryRows(
      own,
      `select unread > 20 as unread, drafts between 1 and unread - 1 as drafts, approved > 100 as approved
       from (
         select count(*) filter (where sender_type = 'visitor' and status = 'sent') as unread,
           count(ai_draft) as drafts, count(from_draft_of) as approved
         from conversation_messages
       ) as counted`,
    );
    expect(found).toEqual([{ unread: true, drafts: true, approved: true }]);
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
    expect(isDuplicateKey(new Error('no'))).toBe(false);
    await copyRows(connection, 'settings', rows);
    await copyRows(connection, 'settings', []);
    expect(await settings()).toEqual(rows);

    await connection.query('create temporary table plain (number bigint, flag boolean, text text)');
    const row = { number: 2 ** 53 - 1, flag: false, text: null };
    await copyRows(connection, 'plain', [row]);
    const copied = await connection.query('select number::text, flag, text from plain');
    expect(copied.rows).toEqual([{ ...row, number: '9007199254740991' }]);
  });
});
