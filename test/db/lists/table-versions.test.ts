import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { issueHistoryList } from '../../../src/db/changes/history.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { conditionsOf, type ListQuery, shownColumns } from '../../../src/db/lists/list-query.ts';
import { countRows, readList } from '../../../src/db/lists/read-list.ts';
import { selectVersion, type VersionedTable, versionedTables } from '../../../src/db/lists/table-versions.ts';
import { auditList } from '../../../src/db/tables/audit.ts';
import { commentTables, selectComments } from '../../../src/db/tables/comments.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { selectThread, threadTables } from '../../../src/db/tables/conversations/message-threads.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { linkList } from '../../../src/db/tables/links.ts';
import { scrapingRunList } from '../../../src/db/tables/usage/scraping-runs.ts';
import { deliveryList } from '../../../src/db/tables/webhooks/webhook-deliveries.ts';
import { explainSent } from '../../support/postgres/plans.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

/** Counters, searched texts and previews are changed by triggers of the other tables alone. */
const derived = [
  'issue_totals',
  'issue_count_deltas',
  'issue_search',
  'conversation_search',
  'conversation_previews',
];

/** Returns the tables that the last statement of a function reads. */
async function tablesOf(run: (db: Database) => Promise<unknown>): Promise<string[]> {
  const nodes = await explainSent(own.pool, run);
  const names = nodes.map((node) => node['Relation Name']).filter((name) => name !== undefined);
  return [...new Set(names)].filter((name) => !derived.includes(name)).toSorted();
}

const page = (list: ListQuery) => (db: Database) =>
  readList(db, list, 10, async () => true, { readLong: (work) => work(db) });

const texts = { q: 'text', since: '2026-01-01', until: '2027-01-01' };
const lists: readonly [name: string, list: ListQuery][] = [
  ['issues', issueList({})],
  ['searched issues', issueList({ ...texts, status: ['Open'] })],
  ['issues with their assignees', issueList({ include: ['assignee'] })],
  ['conversations', conversationList({})],
  ['conversations with their assignees', conversationList({ include: ['assignee'] })],
  ['searched conversations', conversationList({ ...texts, unread: true })],
  ['links', linkList({})],
  ['searched links', linkList(texts)],
  ['scraping runs', scrapingRunList({})],
  ['deliveries', deliveryList({})],
  ['audit records', auditList({})],
  ['history', issueHistoryList({ id: 1 })],
];

test.for(lists)('the list of %s names every table that it and its totals read', async ([, list]) => {
  // A search runs in a transaction of its own.
  const find = (db: Database) =>
    db.any(
      sql.unsafe`select ${shownColumns(list.columns)} ${list.source} where ${sql.and(conditionsOf(list))}`,
    );
  const read =
    list.search === undefined
      ? [...(await tablesOf(page(list))), ...(await tablesOf((db) => countRows(db, list)))]
      : await tablesOf(find);
  expect(list.tables).toEqual(expect.arrayContaining(read));
});

const all = { include: ['assignee', 'delivery'] } as const;

test.for<[string, readonly VersionedTable[], (db: Database) => Promise<unknown>]>([
  ['thread', threadTables(all), (db) => selectThread(db, 'conv_1', { limit: 10, ...all })],
  ['comments', commentTables, (db) => selectComments(db, { issue_id: 1, limit: 10 })],
])('the %s names every table that it reads', async ([, tables, run]) => {
  expect(tables).toEqual(expect.arrayContaining(await tablesOf(run)));
});

test('exactly these tables have versions, for every kind of statement, and in imports too', async () => {
  const rows = await own.sql(`
    select tgrelid::regclass::text as name, string_agg(distinct tgtype::text, ' ' order by tgtype::text) as types,
      bool_and(tgenabled = 'A') as always
    from pg_trigger where tgfoid = 'change_table_version'::regproc group by 1 order by 1
  `);
  // After statements: insert, delete, update, truncate.
  const triggers = { types: '16 32 4 8', always: true };
  expect(rows).toEqual(versionedTables.toSorted().map((name) => ({ name, ...triggers })));
});

test('writers of different transactions do not wait for each other, and each changes the version', async () => {
  const other = await own.connect();
  const versions = new Set<string>();
  const version = async () => versions.add(await selectVersion(own.pool, ['issues']));
  await version();
  await own.sql('begin');
  await other.query('begin');
  for (const client of [own.client, other, own.client, other]) {
    await client.query(`insert into issues (title) values ('Written')`);
    await client.query('select fold_table_versions()');
  }
  await version();
  expect(versions.size).toBe(1);
  await other.query('commit');
  await version();
  await own.sql('commit');
  await version();
  expect(versions.size).toBe(3);
});

test('the changes that wait to be folded stay few', async () => {
  for (let write = 0; write < 1_000; write++) await own.sql(`insert into issues (title) values ('One')`);
  const [changes] = await own.sql('select count(*)::int as waiting from table_version_changes');
  expect(changes?.waiting).toBeLessThan(900);
});
