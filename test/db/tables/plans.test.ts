import { sql } from 'slonik';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/connection/database.ts';
import { readList } from '../../../src/db/lists/read-list.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { selectThread } from '../../../src/db/tables/conversations/message-threads.ts';
import { linkList } from '../../../src/db/tables/links.ts';
import { countReplays } from '../../../src/db/tables/webhooks/webhook-replays.ts';
import { explainSent } from '../../support/postgres/plans.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

describe('threads of messages', () => {
  const limit = 50;
  /** One conversation has 20,000 of the 200,000 messages, the others have 90 each. */
  const long = 'conv_long';

  beforeAll(async () => {
    await withClient(own.url, async (client) => {
      // The test server commits asynchronously, and VACUUM marks rows as visible to all only after that.
      await client.query('set synchronous_commit = on');
      await client.query(`
      insert into conversations (id, visitor_name, visitor_email)
      select case n when 0 then '${long}' else 'conv_' || n end, 'V', '' from generate_series(0, 2000) n;
      insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
      select case when n % 10 = 0 then '${long}' else 'conv_' || (n % 2000 + 1) end, 'visitor', repeat('Hello ', 20),
        case when n > 195000 then 'sent' else 'read' end, timestamptz '2026-03-01Z' + n * interval '1 second'
      from generate_series(1, 200000) n;
      insert into issues (title) select 'Issue' from generate_series(1, 20000);
      insert into scraping_runs (run_id, source) values ('run', 'shop.example.org');
      insert into scraping_errors (run_id, message) select 'run', 'Error' from generate_series(1, 18000);
      insert into issue_links (issue_id, conversation_id) select id, 'conv_' || id from issues where id <= 2000;
      insert into issue_links (issue_id, scraping_error_id) select id, id - 2000 from issues where id > 2000
    `);
      // As after autovacuum: unread messages can be counted from an index alone.
      await client.query('vacuum analyze');
    });
  });

  const position = ['2026-03-02T00:00:00.000000Z', 86_400] as const;

  describe.for([
    ['the last page of a long thread', long, undefined, limit + 1],
    ['an earlier page of it', long, position, limit + 1],
    ['the last page of a short one', 'conv_7', undefined, limit + 1],
  ] as const)('%s', ([, id, cursor, rows]) => {
    test('is read by indexes only, in the order of the messages, and at most one message beyond the page', async () => {
      const nodes = await explainSent(own.pool, (db) => selectThread(db, id, { limit, cursor }));
      const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
      expect(scans.map((node) => node['Node Type']).filter((type) => !/^Index/.test(type))).toEqual([]);
      const [page] = scans.filter((node) => node['Index Name'] === 'conversation_messages_newest_idx');
      expect(page?.['Actual Rows']).toBe(rows);
      expect(page).not.toHaveProperty('Rows Removed by Filter');
    });
  });

  test.for([
    ['the list of conversations', conversationList({})],
    ['the links of an issue', linkList({ issue_id: [77] })],
    ['the links of a conversation', linkList({ conversation_id: 'conv_78' })],
    ['the links of a scraping error', linkList({ scraping_error_id: [77] })],
  ] as const)('%s is read by indexes only', async ([, list]) => {
    const nodes = await explainSent(own.pool, (db) =>
      readList(db, list, limit, async () => true, { readLong: (work) => work(db) }),
    );
    const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
    expect(scans.map((node) => node['Node Type']).filter((type) => !/^Index/.test(type))).toEqual([]);
  });
});

describe('replays of webhooks', () => {
  beforeAll(async () => {
    await withClient(own.url, async (client) => {
      // One event a minute until midnight. The webhook is created last, so that it gets no delivery.
      await client.query(`
      insert into events (type, actor, created_at)
      select 'issue.created', 'tests', timestamptz '2026-03-01Z' - (50000 - n) * interval '1 minute'
      from generate_series(1, 50000) as n order by n;
      insert into webhooks (id, url, secret) values (1, 'https://example.com/', '');
      analyze
    `);
    });
  });

  test.for([
    ['since a time', undefined, 121],
    ['between two times', '2026-02-28T23:00:00Z', 60],
  ] as const)(
    'events %s are found by their ids, and no earlier event is read',
    async ([, until, expected]) => {
      const filter = { webhookId: 1, since: '2026-02-28T22:00:00Z', until, status: undefined };
      const nodes = await explainSent(own.pool, async (db) => {
        expect(await countReplays(db, filter, 10_000)).toBe(expected);
      });
      const reads = nodes.filter((node) => node['Relation Name'] === 'events');
      expect(reads.length).toBeGreaterThan(1);
      for (const read of reads) {
        expect(read).toMatchObject({ 'Index Name': 'events_pkey' });
        expect(read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(122);
      }
    },
  );

  // A plan made while a table was small can take minutes after the table has grown by thousands of rows.
  test('the count is planned each time', async () => {
    const single = openDatabase({ databaseUrl: own.url, maxConnections: 1 });
    const filter = { webhookId: 1, since: '2026-02-28T22:00:00Z', until: undefined, status: undefined };
    for (let round = 0; round < 7; round += 1) await countReplays(single, filter, 10_000);
    await single.any(sql.unsafe`select 1 as kept`);
    const kept = await single.anyFirst(sql.unsafe`select statement from pg_prepared_statements`);
    expect(kept).toContain('select 1 as kept');
    expect(kept.join()).not.toContain('webhook_deliveries');
    await single.close();
  });
});
