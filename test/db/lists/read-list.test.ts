import { sql } from 'slonik';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { issueHistoryList } from '../../../src/db/changes/history.ts';
import { filteredAndOrdered, maxShortRows } from '../../../src/db/lists/filter-scans.ts';
import { ListMemo, noVersion } from '../../../src/db/lists/list-memo.ts';
import { type ListQuery, rowAsJson } from '../../../src/db/lists/list-query.ts';
import { readList, readLongList } from '../../../src/db/lists/read-list.ts';
import { findPage } from '../../../src/db/lists/select-page.ts';
import { auditList } from '../../../src/db/tables/audit.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { linkList } from '../../../src/db/tables/links.ts';
import { scrapingRunList } from '../../../src/db/tables/usage/scraping-runs.ts';
import { deliveryList } from '../../../src/db/tables/webhooks/webhook-deliveries.ts';
import { databaseHere } from '../../support/postgres.ts';

/** The pool has a single connection: a query would wait forever if a list kept it. */
const own = databaseHere(1);

/** Times at the edges of what a text of four digits says, and with every number of digits after the point. */
const times = [
  '0044-03-15 12:00:00 BC',
  '0001-01-01 00:00:00Z',
  '1969-12-31 23:59:59.999Z',
  '1970-01-01 00:00:00Z',
  '2026-03-29 01:30:00.1Z',
  '2026-03-29 01:30:00.12Z',
  '9999-12-31 23:59:59.999Z',
  '10000-01-01 00:00:00Z',
  'infinity',
  '-infinity',
];

beforeAll(async () => {
  const odd = `E'"\\\\/\\b\\f\\n\\r\\t\\x01\\x1f\\x7f é 😀 \\u2028 </script> ' || n`;
  // What the database keeps of a row does not depend on the settings of who writes it.
  await own.sql(`
    set timezone = 'Asia/Kathmandu';
    set datestyle = 'german';
    create temporary table odd as
    select n, ${odd} as text, time::timestamptz as time from unnest(array['${times.join("','")}']) with ordinality as t (time, n);
    insert into admins (id, email, username, otp_email) values ('admin_1', 'a"b@example.com', 'ä', '');
    insert into issues (title, description, created_at, updated_at, assignee_id)
    select text, text, time, time, case when n % 2 = 0 then 'admin_1' end from odd;
    insert into conversations (id, visitor_email, visitor_name, subject, created_at, updated_at)
    select 'conv_' || n, text, text, text, time, time from odd;
    insert into conversation_messages (conversation_id, sender_type, content)
    select 'conv_' || n, 'visitor', text from odd where n % 2 = 0;
    insert into issue_links (issue_id, conversation_id, created_by)
    select (select min(id) from issues), 'conv_' || n, text from odd;
    insert into scraping_runs (run_id, source, status, started_at, finished_at)
    select n, text, 'succeeded', time, time + interval '10 milliseconds' from odd where n between 4 and 7;
    insert into webhooks (id, url, secret) overriding system value values (1, 'https://example.com', '');
    insert into webhook_deliveries (webhook_id, message_id, type, payload, error, next_attempt_at, created_at)
    select 1, n, 'issue.created', jsonb_build_object('text', text, 'number', 1.50, 'none', null)::text, text, now(), time from odd;
    insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event, before, after)
    select n, time, 'admin', text, 'http', 'o', 'e', case when n % 2 = 0 then jsonb_build_object('text', text, 'none', null) end, '{"a": [1, 2.50]}' from odd;
    insert into changes (id, noun, actor_kind, actor_name, door, count) overriding system value values (1, 'issues', 'admin', 'a', 'http', 1);
    insert into issue_history (change_id, issue_id, field, before, after)
    select 1, (select min(id) from issues), 'field ' || n, text, null from odd;
    reset all
  `);
});

const jsonRow = z.object({ json: z.string() });

/** Returns the rows of a list as JSON texts that Postgres makes, joined by commas. */
const madeByPostgres = async (list: ListQuery) => {
  const select = sql.type(jsonRow)`select ${rowAsJson(list.columns)} as json ${filteredAndOrdered(list)}`;
  return (await own.pool.anyFirst(select)).join(',');
};

test.for<[string, () => ListQuery]>([
  ['issues', () => issueList({})],
  ['issues with their assignees', () => issueList({ include: ['assignee'] })],
  ['issues by severity', () => issueList({ sort: '-severity' })],
  ['conversations', () => conversationList({})],
  ['links', () => linkList({})],
  ['scraping runs', () => scrapingRunList({})],
  ['deliveries', () => deliveryList({})],
  ['audit records', () => auditList({})],
  ['history', () => issueHistoryList({ id: 1 })],
])('a page and a whole list of %s have the bytes that Postgres makes', async ([, list]) => {
  const parts = [await madeByPostgres(list())];
  expect(await findPage(own.pool, list(), 50)).toMatchObject({ parts, next: null });
  const first = await findPage(own.pool, list(), 2);
  expect(String(parts[0]).startsWith(`${first.parts[0]},`)).toBe(true);
  const whole: string[] = [];
  await readLongList(own.pool, list(), async (texts) => whole.push(...texts) > 0);
  expect(whole.join(',')).toBe(parts[0]);
});

test('a page without rows has the version of its tables', async () => {
  const { version } = await findPage(own.pool, issueList({}), 50);
  const page = await findPage(own.pool, issueList({ id: [-1] }), 50);
  expect(page).toEqual({ version, length: 0, parts: [], next: null });
});

test('a list that is remembered is read again after each change, and never before its commit', async () => {
  const memo = new ListMemo();
  const known = () => findPage(own.pool, issueList({}), 5, memo);
  const present = () => findPage(own.pool, issueList({}), 5);
  for (let round = 0; round < 3; round++) expect(await known()).toEqual(await present());

  const old = await present();
  await own.sql(`begin; update issues set title = 'changed' where id = (select max(id) from issues)`);
  expect(await known()).toEqual(old);
  await own.sql('commit');
  const changed = await known();
  expect(changed).toEqual(await present());
  expect(changed).not.toEqual(old);
  await own.sql(
    `begin; delete from issues where title = 'changed'; savepoint s; truncate issues cascade; rollback to s; rollback`,
  );
  expect(await known()).toEqual(changed);
  await own.sql(`delete from issues where title = 'changed'`);
  expect(await known()).toEqual(await present());
});

test('lists with other filters, limits and columns are remembered apart', async () => {
  const memo = new ListMemo();
  const lists = [
    ...[issueList({}), issueList({ sort: 'created_at' }), issueList({ include: ['assignee'] })],
    ...[issueList({ status: ['Open'] }), issueList({ status: ['Closed'] }), conversationList({})],
  ];
  for (let round = 0; round < 3; round++) {
    for (const list of lists) {
      for (const limit of [5, maxShortRows])
        expect(await findPage(own.pool, list, limit, memo)).toEqual(await findPage(own.pool, list, limit));
    }
  }
});

/** The statement that reads a list by its name. */
const named = (name: string) => sql.unsafe`select ${noVersion}, ${name}`;

/** Returns a function that reads a list by its name, and reports whether a new memo had remembered it. */
function namedLists() {
  const memo = new ListMemo();
  const text = 'x'.repeat(500_000);
  return async (name: string, texts = 1) => {
    let known: unknown;
    await memo.find(named(name), async ({ values }) => {
      known = values[0];
      return { version: '1', parts: Array(texts).fill(text) };
    });
    return known === '1';
  };
}

test('a list is remembered from the second time on, until lists that were read later take its place', async () => {
  const wasRemembered = namedLists();
  for (const known of [false, false, true]) expect(await wasRemembered('first')).toBe(known);
  for (let n = 0; n < 10; n++) {
    await wasRemembered(`other ${n}`);
    await wasRemembered(`other ${n}`);
    expect(await wasRemembered('first')).toBe(true);
  }
  expect(await wasRemembered('other 9')).toBe(true);
  expect(await wasRemembered('other 0')).toBe(false);
  for (let time = 0; time < 3; time++) expect(await wasRemembered('long', 2)).toBe(false);
});

test('a list that nobody has read for a minute is forgotten', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const wasRemembered = namedLists();
  for (const name of ['idle', 'idle', 'used', 'used']) await wasRemembered(name);
  for (; now <= 90_000; now += 30_000) expect(await wasRemembered('used')).toBe(true);
  expect(await wasRemembered('idle')).toBe(false);
});

/** Reads of a list that end when the test says so. The version that one finds is its number. */
function controlledReads() {
  // No request waits too long for the read of another.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const memo = new ListMemo();
  const reads: PromiseWithResolvers<void>[] = [];
  const find = async () => {
    const { version } = await memo.find(named('list'), async () => {
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
});

test('a request reads by itself if the read that it shares fails', async () => {
  const { find, reads } = controlledReads();
  const first = find();
  const second = find();
  reads[0]?.reject(new Error('the first fails'));
  await expect(first).rejects.toThrow('the first fails');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.reject(new Error('of another'));
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.resolve();
  expect(await second).toBe(3);
});

test('long and short rows are read in order; one that moves meanwhile appears once with its new values, a deleted one not', async () => {
  // Two of three rows have 300 kB, the third is short: a chunk of 2 MB has about nine rows. Two rows share each time.
  await own.sql(`
    truncate conversations cascade;
    insert into conversations (id, visitor_name, visitor_email) select 'conv_' || n, 'V', '' from generate_series(1, 30) n;
    insert into conversation_messages (conversation_id, sender_type, content)
    select 'conv_' || n, 'visitor', repeat('x', case when n % 3 = 0 then 5 else 300000 end) from generate_series(1, 30) n;
    update conversations set updated_at = timestamptz '2026-03-01Z' - substr(id, 6)::int / 2 * interval '1 second'
  `);
  const ids = await own.sql('select id from conversations order by updated_at desc, id desc');
  const [moved, gone] = ['conv_29', 'conv_28'];
  const chunks: { id: string; subject: string }[][] = [];
  async function take(texts: readonly string[]): Promise<boolean> {
    if (chunks.push(JSON.parse(`[${texts.join()}]`)) > 1) return true;
    await own.sql(
      `update conversations set subject = 'Moved', status = 'closed', updated_at = now() where id = $1`,
      [moved],
    );
    await own.sql('delete from conversations where id = $1', [gone]);
    return true;
  }
  const readLong = () => Promise.reject(new Error('This list is short.'));
  await readList(own.pool, conversationList({ status: ['open'] }), 1_000, take, { readLong });
  expect(chunks.length).toBeGreaterThan(2);
  const list = chunks.flat();
  expect(list.map(({ id }) => id)).toEqual(ids.map(({ id }) => id).filter((id) => id !== gone));
  expect(list.find(({ id }) => id === moved)?.subject).toBe('Moved');
});

test('a whole list with a search reads the index for a rare word, and all rows for a frequent one', async () => {
  // The newest rows have the frequent word, the oldest the rare one.
  await own.sql(`
    set session_replication_role = replica;
    insert into issues (id, title, created_at)
    select n, case when n > 15000 then 'frequent' when n <= 3100 then 'rare' else 'usual' end,
      timestamptz '2026-01-01Z' + n * interval '1 minute'
    from generate_series(1001, 18000) as n;
    insert into issue_search select id, title from issues where id > 1000;
    reset session_replication_role;
    analyze issues, issue_search
  `);
  const probes = async () => {
    await own.pool.query(sql.unsafe`select pg_stat_force_next_flush()`);
    return Number(
      await own.pool.oneFirst(
        sql.unsafe`select idx_scan from pg_stat_user_indexes where indexrelname = 'issue_search_pkey'`,
      ),
    );
  };
  const idsBy = async (q: string) => {
    const texts: string[] = [];
    const take = async (rows: readonly string[]) => texts.push(...rows) > 0;
    await readList(own.pool, issueList({ q }), undefined, take, { readLong: (work) => work(own.pool) });
    return (JSON.parse(`[${texts.join(',')}]`) as { id: number }[]).map(({ id }) => id);
  };
  const downFrom = (id: number, count: number) => Array.from({ length: count }, (_, n) => id - n);
  const before = await probes();
  expect(await idsBy('rare')).toEqual(downFrom(3_100, 2_100));
  // The first rows of the list, in which it may be frequent, and no others.
  expect((await probes()) - before).toBeLessThan(11_000);
  expect(await idsBy('frequent')).toEqual(downFrom(18_000, 3_000));
});
