import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillPlaceholders } from '../../../src/contract/saved-reply-text.ts';
import { type SeedResult, seed } from '../../../src/services/seed/index.ts';
import {
  checksums,
  queryRows,
  seedUntil,
  smallSeed,
  withSeededDatabase,
  wrongCounters,
} from '../../support/postgres/seeded.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

describe('the rows of a seed', () => {
  let database: TestDatabase;
  let made: SeedResult;
  let sums: Awaited<ReturnType<typeof checksums>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    made = await seed(database.url, smallSeed);
    sums = await checksums(database);
  });

  afterAll(async () => {
    await database.drop();
  });

  test('are the same for the same seed, time and numbers', async () => {
    await withSeededDatabase({}, async (other) => expect(await checksums(other)).toEqual(sums));
  });

  test('differ for another seed', async () => {
    await withSeededDatabase({ randomSeed: 8 }, async (other) => {
      const { settings, ...others } = await checksums(other);
      expect(settings).toBe(sums.settings);
      const same = Object.entries(others).filter(([table, sum]) =>
        Object.entries(sums).some(([name, first]) => name === table && first === sum),
      );
      expect(same).toEqual([]);
    });
  });

  test('do not depend on the number of other rows', async () => {
    await withSeededDatabase({ issues: 3 }, async (other) => {
      const { issues, ...others } = await checksums(other);
      expect(sums).toMatchObject(others);
      expect(issues).not.toBe(sums.issues);
    });
    await withSeededDatabase({ conversations: 3 }, async (other) => {
      const { issues } = await checksums(other);
      expect(issues).toBe(sums.issues);
    });
  });

  test('are as many as the result says', async () => {
    const [counted] = await queryRows<SeedResult>(
      database,
      `select
        (select count(*)::integer from issues) as issues,
        (select count(*)::integer from conversations) as conversations,
        (select count(*)::integer from conversation_messages) as messages,
        (select count(*)::integer from issue_links) as "issueLinks",
        (select count(*)::integer from issues where assignee_id is not null) as assigned,
        (
          select count(*)::integer
          from (select labels from issues union all select labels from conversations) as rows
          where labels <> '{}'
        ) as labelled,
        (select count(*)::integer from comments) as comments,
        (select count(*)::integer from saved_replies) as "savedReplies",
        (select count(*)::integer from settings) as settings,
        (select count(*)::integer from token_usage_records) as "tokenUsageRecords",
        (select count(*)::integer from scraping_runs) as "scrapingRuns"`,
    );
    expect(counted).toEqual(made);
    expect(made).toMatchObject({ issues: 800, conversations: 150 });
    expect(made.messages / made.conversations).toBeGreaterThan(3.5);
    expect(made.messages / made.conversations).toBeLessThan(6.5);
  });

  test('link some issues to earlier conversations', async () => {
    const links = await queryRows<{ fits: boolean }>(
      database,
      `select issue.created_at >= conversation.created_at and link.created_at = issue.created_at as fits
       from issue_links as link
       join issues as issue on issue.id = issue_id join conversations as conversation on conversation.id = conversation_id`,
    );
    expect(links).toHaveLength(made.issueLinks);
    expect(links.length).toBeGreaterThan(5);
    expect(links.every(({ fits }) => fits)).toBe(true);
  });

  test('have comments of the team, and five saved replies with placeholders that are known', async () => {
    const [found] = await queryRows<Record<string, number>>(
      database,
      `select
        (select count(*)::integer from comments join issues on issues.id = issue_id
         where issues.status in ('Open', 'In Progress') and comments.created_at >= issues.created_at) as issues,
        (select count(*)::integer from comments where conversation_id is not null and author_name like '%@%') as conversations,
        (select count(*)::integer from saved_replies) as replies`,
    );
    expect(found).toEqual({ issues: 6, conversations: 4, replies: 5 });
    const replies = await queryRows<{ content: string }>(database, 'select content from saved_replies');
    for (const { content } of replies) {
      const values = { visitor_name: 'V', admin_name: 'A', conversation_id: 'C' };
      expect(fillPlaceholders(content, values)).not.toContain('{{');
    }
  });

  test('are partly assigned to the active admins that exist', async () => {
    const assigned = await createTestDatabase();
    try {
      await queryRows(
        assigned,
        `insert into admins (id, email, username, is_active)
         values ('a', 'a@example.com', 'a', 1), ('b', 'b@example.com', 'b', 1), ('c', 'c@example.com', 'c', 0)`,
      );
      const { assigned: count } = await seed(assigned.url, smallSeed);
      const rows = await queryRows<{ assignee_id: string; count: number }>(
        assigned,
        `select assignee_id, count(*)::integer as count
         from (select assignee_id from issues union all select assignee_id from conversations) as assigned
         where assignee_id is not null group by 1 order by 1`,
      );
      expect(rows.map(({ assignee_id }) => assignee_id)).toEqual(['a', 'b']);
      expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(count);
      expect(count).toBeGreaterThan(30);
    } finally {
      await assigned.drop();
    }
  });

  test('are counted for the charts', async () => {
    expect(await wrongCounters(database)).toEqual([]);
  });

  test('are from the two years before, and none is in the future', async () => {
    const [found] = await queryRows<{ newest: Date; oldest: Date; backwards: number }>(
      database,
      `with times (one, other) as (
         select created_at, updated_at from issues
         union all select created_at, updated_at from conversations
         union all select created_at, created_at from conversation_messages
         union all select occurred_at, created_at from token_usage_records
         union all select started_at, finished_at from scraping_runs
         union all select occurred_at, occurred_at from scraping_errors
         union all select updated_at, updated_at from settings
       )
       select max(other) as newest, min(one) as oldest, count(*) filter (where other < one)::integer as backwards
       from times`,
    );
    expect(found?.newest.toISOString()).toBe(seedUntil);
    expect(found?.oldest.getTime()).toBeGreaterThan(Date.parse(seedUntil) - 731 * 86_400_000);
    expect(found?.backwards).toBe(0);
  });

  test('have issues in the order of their ids, mostly on weekdays and in office hours', async () => {
    const [found] = await queryRows<Record<string, number>>(
      database,
      `select
        (select count(*)::integer from (
           select created_at < lag(created_at) over (order by id) as early from issues) as steps where early) as early,
        count(*) filter (where extract(isodow from created_at at time zone 'UTC') > 5)::integer as weekend,
        count(*) filter (where extract(hour from created_at at time zone 'UTC') between 8 and 17)::integer as office,
        count(*) filter (where created_at > timestamptz '${seedUntil}' - interval '1 year')::integer as later,
        count(distinct title)::integer as titles
       from issues`,
    );
    expect(found?.early).toBe(0);
    expect(found?.weekend).toBeLessThan(0.25 * 800);
    expect(found?.office).toBeGreaterThan(0.55 * 800);
    expect(found?.later).toBeGreaterThan(0.5 * 800);
    expect(found?.titles).toBeGreaterThan(100);
  });

  test('have mostly closed issues among the old ones', async () => {
    const [found] = await queryRows<Record<string, number>>(
      database,
      `select
        count(*) filter (where status in ('Open', 'In Progress'))::integer as open,
        count(*) filter (where status in ('Open', 'In Progress') and age < interval '7 days')::integer as young_open,
        count(*) filter (where age < interval '7 days')::integer as young,
        count(distinct severity)::integer as severities
       from (select status, severity, timestamptz '${seedUntil}' - created_at as age from issues) as issue`,
    );
    expect(found?.open).toBeLessThan(0.25 * 800);
    expect(found?.young_open).toBeGreaterThan(0.4 * (found?.young ?? 0));
    expect(found?.severities).toBe(4);
  });

  test('have no unfilled placeholder', async () => {
    const open = await queryRows(
      database,
      `select title from issues where concat(title, description, steps_to_reproduce) ~ '[{}]'
       union all select content from conversation_messages where concat(content, ai_draft) ~ '[{}]'
       union all select subject from conversations where subject ~ '[{}]'`,
    );
    expect(open).toEqual([]);
  });
});
