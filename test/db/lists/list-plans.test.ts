import { sql } from 'slonik';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/db/connection/database.ts';
import { filteredAndOrdered } from '../../../src/db/lists/filter-scans.ts';
import { findMatches } from '../../../src/db/lists/find-matches.ts';
import type { ListQuery } from '../../../src/db/lists/list-query.ts';
import { readList } from '../../../src/db/lists/read-list.ts';
import { readLongList } from '../../../src/db/lists/whole-list.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { scrapingRunList } from '../../../src/db/tables/usage/scraping-runs.ts';
import { explainSent, nodesOfPlan, withoutIndexes } from '../../support/postgres/plans.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const own = databaseHere();

/** Of each list. */
const size = isSlowRun ? 100_000 : 20_000;
const limit = 50;

beforeAll(async () => {
  // The times are not in the order of the table, and three rows share each.
  const at = `timestamptz '2026-03-01Z' - (n * 7919 % ${size} / 3) * interval '${100_000 / size} seconds'`;
  // Each of ten admins has a thousand of either list.
  const assignee = `case when n % 100 < ${1_000_000 / size} then 'admin_' || n % 10 + 1 end`;
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
    expect(nodes.map((node) => node['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort|Seq Scan/));
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
