import { sql } from 'slonik';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/connection/database.ts';
import { filteredAndOrdered } from '../../../src/db/lists/filter-scans.ts';
import { findMatches } from '../../../src/db/lists/find-matches.ts';
import type { ListQuery } from '../../../src/db/lists/list-query.ts';
import { readList, readLongList } from '../../../src/db/lists/read-list.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { selectThread } from '../../../src/db/tables/conversations/message-threads.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { linkList } from '../../../src/db/tables/links.ts';
import { scrapingRunList } from '../../../src/db/tables/usage/scraping-runs.ts';
import { countReplays } from '../../../src/db/tables/webhooks/webhook-replays.ts';
import { explainSent, nodesOfPlan, withoutIndexes } from '../../support/postgres/plans.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';

// `filter-costs.test.ts` reads every list in every order; this names the index of each.
const plans = describe.runIf(isSlowRun);

plans('pages, whole lists and searches', () => {
  const own = databaseHere();

  /** Of each list. */
  const size = 100_000;
  const limit = 50;

  beforeAll(async () => {
    // The times are not in the order of the table, and three rows share each.
    const at = `timestamptz '2026-03-01Z' - (n * 7919 % ${size} / 3) * interval '1 second'`;
    // Each of ten admins has a thousand of either list.
    const assignee = `case when n % 100 < 10 then 'admin_' || n % 10 + 1 end`;
    await withClient(own.url, async (client) => {
      // Without the triggers, which keep counts that these tests don't read.
      await client.query('set session_replication_role = replica');
      await withoutIndexes(client, async () => {
        await client.query(`
        insert into admins (id, email, username, otp_email) select 'admin_' || n, 'a' || n, '', '' from generate_series(1, 1000) as n;
        insert into issues (title, severity, created_at, updated_at, assignee_id)
        select 'Issue', (array['Low', 'High', 'Critical', 'Own'])[1 + n % 4], ${at}, ${at}, ${assignee} from generate_series(1, ${size}) as n;
        insert into issue_search
        select id, issue_search_text(id, title, description, steps_to_reproduce, labels) from issues;
        insert into conversations (visitor_name, visitor_email, updated_at, created_at, assignee_id)
        select 'Visitor', '', ${at}, ${at}, ${assignee}
        from generate_series(1, ${size}) as n;
        insert into conversation_messages (conversation_id, sender_type, content, created_at)
        select id, 'visitor', 'Hello', timestamptz '2025-03-01Z' from conversations;
        insert into scraping_runs (run_id, source, started_at)
        select 'run_' || n, 'shop.example.org', ${at} from generate_series(1, ${size}) as n;
        insert into scraping_errors (run_id, error_key) select run_id, '' from scraping_runs
      `);
      });
      await client.query('select rebuild_conversation_previews()');
      await client.query('analyze');
    });
  });

  /** Reads a page and explains its statement. */
  const explain = (list: ListQuery) =>
    explainSent(own.pool, async (db) => {
      const taken: unknown[] = [];
      const take = async (rows: readonly string[]) => taken.push(...JSON.parse(`[${rows.join()}]`)) > 0;
      await readList(db, list, limit, take, { readLong: (work) => work(db) });
      expect(taken).toHaveLength(limit);
    });

  const position = '2026-02-28T18:00:00.000000Z';
  /** The first pages, of every filter and order, are in `filter-costs.test.ts`. */
  const pages: readonly [page: string, index: string, list: ListQuery][] = [
    ['a later page of issues', 'issues_created_at_id_idx', issueList({ cursor: [position, size / 2] })],
    [
      'a page of issues, oldest change first',
      'issues_updated_at_id_idx',
      issueList({ sort: 'updated_at', cursor: [position, size / 2, 'updated_at'] }),
    ],
    [
      'a later page of issues, worst first',
      'issues_severity_rank_id_idx',
      issueList({ sort: '-severity', cursor: ['4', size / 2, '-severity'] }),
    ],
    [
      'a later page of conversations',
      'conversations_updated_at_id_idx',
      conversationList({ cursor: [position, 'conv_1'] }),
    ],
    [
      'a page of the issues of an assignee',
      'issues_assignee_id_created_at_id_idx',
      issueList({ assignee_id: 'admin_3', include: ['assignee'], cursor: [position, size / 2] }),
    ],
    [
      'a later page of scraping runs',
      'scraping_runs_started_at_run_id_idx',
      scrapingRunList({ cursor: [position, 'run_1'] }),
    ],
  ];

  test.for(pages)(
    '%s is read from its index, in order, and at most one row beyond the page',
    async ([, index, list]) => {
      const nodes = await explain(list);
      const [table] = /^(?:issues|conversations|scraping_runs)/.exec(index) ?? [];
      const reads = nodes.filter((node) => node['Relation Name'] === table);
      expect(reads).toMatchObject([
        { 'Node Type': 'Index Scan', 'Index Name': index, 'Actual Rows': limit + 1 },
      ]);
      expect(reads[0]).not.toHaveProperty('Rows Removed by Filter');
      expect(nodes.map((node) => node['Node Type'])).not.toContainEqual(
        expect.stringMatching(/Sort|Seq Scan/),
      );
    },
  );

  const wholeLists: readonly [list: string, index: string, query: ListQuery][] = [
    ['issues', 'issues_created_at_id_idx', issueList({})],
    ['conversations', 'conversations_updated_at_id_idx', conversationList({})],
    ['scraping runs', 'scraping_runs_started_at_run_id_idx', scrapingRunList({})],
  ];

  test.for(wholeLists)('a whole list of %s is read from its index, in order', async ([, index, list]) => {
    let declared = sql.unsafe``;
    const tx = { query: async (statement: typeof declared) => (declared = statement), any: async () => [] };
    const db = { transaction: (work: (on: unknown) => unknown) => work(tx) } as unknown as Database;
    await readLongList(db, list, async () => true);
    const nodes = nodesOfPlan(await own.pool.oneFirst(sql.unsafe`explain (format json) ${declared}`));
    expect(nodes.filter((node) => node['Index Name'] === index)).toHaveLength(1);
    expect(nodes.map((node) => node['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort|Seq Scan/));
  });

  describe('a search of issues', () => {
    /** Searches, and explains the last of its statements. */
    async function search(q: string) {
      const list = issueList({ q });
      if (list.search === undefined) throw new Error('There is no search.');
      const lists: ListQuery[] = [];
      const select = async (db: Database, query: ListQuery) => {
        lists.push(query);
        return await db.any(sql.unsafe`select id ${filteredAndOrdered(query)} limit ${limit}`);
      };
      const rows = await findMatches(own.pool, { ...list, search: list.search }, limit, select);
      const last = lists.at(-1) ?? list;
      const nodes = await explainSent(own.pool, (db) => select(db, last));
      return { rows: rows.length, statements: lists.length - 1, nodes };
    }

    test('for a rare word reads its matches from the index', async () => {
      await own.pool.query(sql.unsafe`update issues set title = 'The zebra crossing' where id = 5000`);
      const { rows, statements, nodes } = await search('crossing zebra');
      expect([rows, statements]).toEqual([1, 2]);
      expect(nodes.map((node) => node['Index Name'])).toContain('issue_search_text_idx');
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      const read = nodes.filter((node) => node['Relation Name'] === 'issue_search');
      expect(read.map((node) => node['Actual Rows'])).toEqual([1]);
    });

    test('for a frequent word reads only the first rows of the list', async () => {
      const { rows, statements, nodes } = await search('issue');
      expect([rows, statements]).toEqual([limit, 1]);
      expect(nodes.map((node) => node['Index Name'])).not.toContain('issue_search_text_idx');
      expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(2_000);
    });
  });
});

const own = databaseHere();

plans('threads of messages', () => {
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

  /** Returns the scans of what a function sends, of which each uses an index. */
  async function indexScans(run: (db: Database) => Promise<unknown>) {
    const scans = (await explainSent(own.pool, run)).filter((node) => node['Relation Name'] !== undefined);
    expect(scans.map((node) => node['Node Type']).filter((type) => !/^Index/.test(type))).toEqual([]);
    return scans;
  }

  test.for([
    ['the last page of a long thread', long, undefined],
    ['an earlier page of it', long, position],
    ['the last page of a short one', 'conv_7', undefined],
  ] as const)(
    '%s is read by indexes only, in the order of the messages, and at most one message beyond the page',
    async ([, id, cursor]) => {
      const scans = await indexScans((db) => selectThread(db, id, { limit, cursor }));
      const page = scans.find((node) => node['Index Name'] === 'conversation_messages_newest_idx');
      expect(page?.['Actual Rows']).toBe(limit + 1);
      expect(page).not.toHaveProperty('Rows Removed by Filter');
    },
  );

  test.for([
    ['the list of conversations', conversationList({})],
    ['the links of an issue', linkList({ issue_id: [77] })],
    ['the links of a conversation', linkList({ conversation_id: 'conv_78' })],
    ['the links of a scraping error', linkList({ scraping_error_id: [77] })],
  ] as const)('%s is read by indexes only', async ([, list]) => {
    await indexScans((db) => readList(db, list, limit, async () => true, { readLong: (work) => work(db) }));
  });
});

plans('replays of webhooks', () => {
  // One event a minute until midnight. The webhook is created last, so that it gets no delivery.
  beforeAll(() =>
    own.sql(`
      insert into events (type, actor, created_at)
      select 'issue.created', 'tests', timestamptz '2026-03-01Z' - (50000 - n) * interval '1 minute'
      from generate_series(1, 50000) as n order by n;
      insert into webhooks (id, url, secret) values (1, 'https://example.com/', '');
      analyze
    `),
  );

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
