import { sql } from 'slonik';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { issueHistoryList } from '../../../src/db/changes/history.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { ListMemo, noVersion } from '../../../src/db/lists/list-memo.ts';
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

describe('the version of a table', () => {
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

  test.for<[string, readonly VersionedTable[], (db: Database) => Promise<unknown>]>([
    ['thread', threadTables, (db) => selectThread(db, 'conv_1', { limit: 10, include: ['assignee'] })],
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
    const parsed = z
      .array(z.object({ name: z.string(), types: z.string(), always: z.boolean() }))
      .parse(rows);
    expect(parsed.map(({ name }) => name)).toEqual(versionedTables.toSorted());
    // After statements: insert, delete, update, truncate.
    for (const { types, always } of parsed)
      expect({ types, always }).toEqual({ types: '16 32 4 8', always: true });
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
});

describe('the memo of lists', () => {
  beforeEach(() => {
    // No request waits too long for another's read, unless the test says so.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A memo with lists whose reads end when the test says so. The version that a read finds is its number. */
  function controlledReads() {
    const memo = new ListMemo();
    const reads: PromiseWithResolvers<void>[] = [];
    const find = async (list = 'list') => {
      const { version } = await memo.find(sql.unsafe`select ${noVersion}, ${list}`, async () => {
        const read = Promise.withResolvers<void>();
        const number = reads.push(read);
        await read.promise;
        return { version: String(number), parts: [] };
      });
      return Number(version);
    };
    return { find, reads };
  }

  test('requests that arrive during a read share the next one, which begins after them', async () => {
    const { find, reads } = controlledReads();
    const first = find();
    const others = [find(), find()];
    await Promise.resolve();
    expect(reads).toHaveLength(1);

    reads[0]?.resolve();
    expect(await first).toBe(1);
    await expect.poll(() => reads.length).toBe(2);
    const late = find();
    reads[1]?.resolve();
    expect(await Promise.all(others)).toEqual([2, 2]);

    await expect.poll(() => reads.length).toBe(3);
    reads[2]?.resolve();
    expect(await late).toBe(3);
    const alone = find();
    // Another list is read at once.
    void find('another list');
    expect(reads).toHaveLength(5);
    reads[3]?.resolve();
    expect(await alone).toBe(4);
  });

  test('the first of those who share a read makes it: the request that was first of all may be gone', async () => {
    const memo = new ListMemo();
    const readers: string[] = [];
    const findBy = (reader: string) =>
      memo.find(sql.unsafe`select ${noVersion}`, async () => {
        readers.push(reader);
        return { version: reader, parts: [] };
      });
    await Promise.all(['first', 'second', 'third'].map(findBy));
    expect(readers).toEqual(['first', 'second']);
  });

  test.for<[string, (read?: PromiseWithResolvers<void>) => void]>([
    ['fails', (read) => read?.reject(new Error('of another'))],
    ['takes too long', () => vi.advanceTimersByTime(100)],
  ])('a request reads by itself if the shared read %s', async ([, end]) => {
    const { find, reads } = controlledReads();
    const first = find();
    const second = find();
    reads[0]?.reject(new Error('the first fails'));
    await expect(first).rejects.toThrow('the first fails');
    await expect.poll(() => reads.length).toBe(2);
    end(reads[1]);
    await expect.poll(() => reads.length).toBe(3);
    reads[2]?.resolve();
    expect(await second).toBe(3);
  });
});
