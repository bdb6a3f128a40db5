import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { type SeedProgress, seed } from '../../../src/services/seed/index.ts';
import {
  checksums,
  queryRows,
  smallSeed,
  withSeededDatabase,
  wrongCounters,
} from '../../support/postgres/seeded.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

describe('seed', () => {
  test('leaves whole batches when it is stopped', async () => {
    const controller = new AbortController();
    const seen: SeedProgress[] = [];
    const onProgress = (progress: SeedProgress) => {
      seen.push(progress);
      if (progress.what === 'issues' && progress.done > 0) controller.abort();
    };
    await withSeededDatabase(
      { issues: 60_000, stop: controller.signal, onProgress },
      async (database, made) => {
        expect(made).toMatchObject({ issues: 5_000, conversations: 150 });
        const [counted] = await queryRows<{ issues: number }>(
          database,
          'select count(*)::integer as issues from issues',
        );
        expect(counted).toEqual({ issues: 5_000 });
        expect(await wrongCounters(database)).toEqual([]);
      },
    );
    expect(seen).toEqual([
      { what: 'conversations', done: 0, total: 150 },
      { what: 'conversations', done: 150, total: 150 },
      { what: 'issues', done: 0, total: 60_000 },
      { what: 'issues', done: 5_000, total: 60_000 },
    ]);
  });

  test('refuses a database with content unless append is set', async () => {
    await withSeededDatabase({}, async (database) => {
      const before = await checksums(database);
      await expect(seed(database.url, { ...smallSeed, randomSeed: 8 })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('append'),
      });
      await expect(seed(database.url, { ...smallSeed, append: true })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('another random seed'),
      });
      expect(await checksums(database)).toEqual(before);

      const added = await seed(database.url, { ...smallSeed, append: true, randomSeed: 8 });
      expect(added).toMatchObject({ issues: 800, settings: 0 });
      const [counted] = await queryRows<{ issues: number }>(
        database,
        'select count(*)::integer as issues from issues',
      );
      expect(counted).toEqual({ issues: 1_600 });
      expect(await wrongCounters(database)).toEqual([]);
    });
  });

  test('refuses a database that another seed is filling', async () => {
    const database = await createTestDatabase();
    try {
      const seeds = [seed(database.url, smallSeed), seed(database.url, { ...smallSeed, randomSeed: 8 })];
      const outcomes = await Promise.allSettled(seeds);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map(({ reason }) => reason)).toMatchObject([
        { code: 'conflict', message: expect.stringContaining('Another `backoffice seed` is running') },
      ]);
      const counted = await queryRows(database, 'select count(*)::integer as issues from issues');
      expect(counted).toEqual([{ issues: 800 }]);
    } finally {
      await database.drop();
    }
  });

  test('refuses a database without tables, unless it may create them', async () => {
    const empty = await createEmptyDatabase();
    try {
      await expect(seed(empty.url, smallSeed)).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringContaining('migrate'),
      });
      // As the command does with the embedded database.
      expect(
        await seed(empty.url, { ...smallSeed, migrate: () => migrateUp({ databaseUrl: empty.url }) }),
      ).toMatchObject({ issues: 800 });
    } finally {
      await empty.drop();
    }
  });
});

describe('a conversation', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await seed(database.url, { ...smallSeed, issues: 0, conversations: 1_500, messagesPerConversation: 6 });
  });

  afterAll(async () => {
    await database.drop();
  });

  /** Returns the conversations for which a condition on their ordered messages is true. */
  async function conversationsWhere(condition: string): Promise<object[]> {
    return await queryRows(
      database,
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
    ['has messages', 'count(message.id) = 0'],
    ['starts with its visitor', `bool_or(number = 1 and sender_type <> 'visitor')`],
    ['starts with its first message', 'min(message.created_at) <> conversation.created_at'],
    ['is as new as its newest message', 'max(message.created_at) <> conversation.updated_at'],
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
    ['has approved drafts only on the previous message', 'bool_or(from_draft_of <> id_before)'],
    [
      'has drafts only for unread messages',
      `bool_or(ai_draft is not null and (sender_type <> 'visitor' or message.status <> 'sent'))`,
    ],
  ])('%s', async (_rule, violation) => {
    expect(await conversationsWhere(violation)).toEqual([]);
  });

  test('has any status, sometimes unread messages, and rarely drafts', async () => {
    const statuses = await queryRows<{ status: string }>(
      database,
      'select distinct status from conversations order by 1',
    );
    expect(statuses.map(({ status }) => status)).toEqual(['closed', 'open', 'pending', 'resolved']);
    const [found] = await queryRows<{ unread: number; drafts: number; approved: number }>(
      database,
      `select count(*) filter (where sender_type = 'visitor' and status = 'sent')::integer as unread,
        count(ai_draft)::integer as drafts, count(from_draft_of)::integer as approved
       from conversation_messages`,
    );
    expect(found?.approved).toBeGreaterThan(100);
    expect(found?.unread).toBeGreaterThan(20);
    expect(found?.drafts).toBeGreaterThan(0);
    expect(found?.drafts).toBeLessThan(found?.unread ?? 0);
  });

  test('has a single message if that is the average', async () => {
    await withSeededDatabase({ issues: 0, messagesPerConversation: 1 }, async (_database, made) => {
      expect(made.messages).toBe(made.conversations);
    });
  });
});
