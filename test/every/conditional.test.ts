import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { ask } from '../support/here/requests.ts';
import { backofficeHere } from '../support/here.ts';
import { duringTransaction } from '../support/postgres.ts';
import { everyList, lists } from './lists.ts';

const backoffice = backofficeHere();
const registry: readonly Operation[] = operations;

const documents = registry.filter(({ method, answers }) => method === 'GET' && answers === undefined);

/** The code of a device that waits for an answer. */
let userCode: string;

beforeAll(async () => {
  for (const { list } of lists) await list.insert(backoffice.sql, [1, 2, 3]);
  userCode = (await backoffice.superadmin.client.call('device.create', { name: 'laptop' })).user_code;
});

async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  cookie = backoffice.superadmin.cookie,
) {
  const answer = await ask(backoffice.service, path, { headers: { cookie, ...headers } });
  return { ...answer, etag: answer.headers.get('etag') };
}

/** Requests a path with the tag of an earlier answer. */
const again = (path: string, { etag }: { readonly etag: string | null }, cookie?: string) =>
  get(path, { 'if-none-match': etag ?? '' }, cookie);

function pathOf({ path, example, id }: Operation): string {
  const needs =
    id === 'device.show' ? { user_code: userCode } : everyList[id as keyof typeof everyList]?.needs;
  const input = needs ?? (example?.input as Record<string, string> | undefined) ?? {};
  return `${path}?${new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]))}`;
}

test.for(documents)(
  '$id has a weak entity tag, and answers 304 with it as long as nothing has changed',
  async (operation) => {
    const path = pathOf(operation);
    const first = await get(path);
    expect(first.status).toBe(200);
    expect(first.etag).toMatch(/^W\/"[\w-]{22}"$/);
    // A browser may store it, and has to ask again, only if it has no secrets. What only some roles may see is never stored.
    const caching = operation.storable ? 'private, no-cache' : 'no-store';
    if (operation.storable) expect(operation.allow).toEqual({ to: 'session' });
    expect(first.headers.get('cache-control')).toBe(caching);
    const second = await again(path, first);
    expect(second).toMatchObject({ status: 304, text: '', etag: first.etag });
    expect(second.headers.get('cache-control')).toBe(caching);
    expect(second.headers.has('content-type')).toBe(false);
  },
);

describe.for(lists)('the tag of $operation.id', ({ operation, list }) => {
  const query = new URLSearchParams({ ...list.needs, limit: '1000', count: '1' });
  const paths = [`${operation.path}?${new URLSearchParams(list.needs)}`, `${operation.path}?${query}`];

  async function expectChange(change: () => Promise<unknown>): Promise<void> {
    for (const path of paths) {
      const before = await get(path);
      expect((await again(path, before)).status).toBe(304);
      await change();
      const after = await again(path, before);
      expect(after.status).toBe(200);
      expect(after.etag).not.toBe(before.etag);
      expect((await again(path, after)).status).toBe(304);
    }
  }

  test('is another one after an insert, an update and a delete by plain SQL', async () => {
    let next = 10;
    await expectChange(() => list.insert(backoffice.sql, [next++]));
    await expectChange(() => backoffice.sql(list.change.replace('999999', String(900_000 + next++))));
    const { table, id } = list;
    const remove = `delete from ${table} where ${id} = (select max(${id}) from ${table})`;
    if (!list.keepsRows) await expectChange(() => backoffice.sql(remove));
  });

  test('is not another one after changes of other tables, or after statements that change no row', async () => {
    const [path = ''] = paths;
    const before = await get(path);
    const insert = `insert into settings (setting_key, setting_value) values ($1, '1')`;
    await backoffice.sql(insert, [operation.id]);
    await backoffice.sql('update issues set title = title where false');
    await backoffice.sql('delete from conversations where false');
    expect((await again(path, before)).status).toBe(304);
  });
});

const issues = '/api/admin/issues';

test.for([
  [
    'conversations',
    `insert into conversation_messages (conversation_id, sender_type, content) values ('conv_1', 'visitor', 'Hi')`,
  ],
  ['conversations', `update conversation_messages set status = 'read'`],
  ['links', `update issues set title = 'Another' where id in (select issue_id from issue_links)`],
  ['links', `update conversations set subject = 'Another'`],
  ['scraping-runs', `insert into scraping_errors (run_id) values ('run_1')`],
  ['scraping-runs', 'truncate scraping_runs cascade'],
  ['admins', `update admins set username = 'another'`],
  ['issues?period=all', `insert into issues (title) values ('Counted')`],
  ['messages?conversation_id=conv_1', `update conversation_messages set content = 'Hello'`],
])('the tag of %s is another one after a change of what its rows show: %s', async ([path, change]) => {
  const before = await get(`/api/admin/${path}`);
  await backoffice.sql(String(change));
  expect(await again(`/api/admin/${path}`, before)).toMatchObject({ status: 200 });
});

test('a change that is rolled back changes no tag', async () => {
  const before = await get(issues);
  await backoffice.sql(
    `do $$ begin update issues set title = 'x'; raise exception 'no'; exception when others then end $$`,
  );
  expect((await again(issues, before)).status).toBe(304);
});

test('a transaction that commits later than it wrote changes the tag when it commits', async () => {
  await duringTransaction(backoffice, [`insert into issues (title) values ('Late')`], async (other) => {
    await backoffice.sql(`insert into issues (title) values ('Early')`);
    const between = await get(issues);
    expect((await again(issues, between)).status).toBe(304);
    await other.query('commit');
    const after = await again(issues, between);
    expect(after).toMatchObject({ status: 200, text: expect.stringContaining('"Late"') });
  });
});

test('folding the changes, and a repeated seed of random numbers, never bring a tag back', async () => {
  const seen = new Set<string | null>();
  for (let round = 0; round < 20; round++) {
    await backoffice.sql('select setseed(0.5)');
    await backoffice.sql(`update issues set title = title where id = (select min(id) from issues)`);
    if (round % 5 === 0) await backoffice.sql('select fold_table_versions()');
    seen.add((await get(issues)).etag);
  }
  expect(seen.size).toBe(20);
  const before = await get(issues);
  await backoffice.sql('select fold_table_versions()');
  expect((await again(issues, before)).status).toBe(304);
});

test('another account or role has another tag for the same URL', async () => {
  const other = await backoffice.service.signIn('superadmin');
  const lesser = await backoffice.service.signIn('user');
  const mine = await get(issues);
  expect((await again(issues, mine, other.cookie)).status).toBe(200);
  expect((await again(issues, mine, lesser.cookie)).status).toBe(200);
});

test('If-None-Match takes several tags, a strong one and any, and others get the whole answer', async () => {
  const { etag } = await get(issues);
  const tag = String(etag);
  const statusWith = async (header: string) => (await get(issues, { 'if-none-match': header })).status;
  for (const header of [`"a", ${tag}, "b"`, tag.slice(2), '*']) expect(await statusWith(header)).toBe(304);
  for (const header of ['', '"a"', 'W/"a"', 'junk', 'W/']) expect(await statusWith(header)).toBe(200);
  const headers = { cookie: backoffice.superadmin.cookie, 'if-none-match': tag };
  expect((await backoffice.service.fetch(issues, { method: 'HEAD', headers })).status).toBe(304);
});

test('an error has no tag and is not stored, and the session comes before the tag', async () => {
  const wrong = await get(`${issues}?status=Opne`, { 'if-none-match': '*' });
  expect(wrong).toMatchObject({ status: 400, etag: null });
  expect(wrong.headers.get('cache-control')).toBe('no-store');
  const withoutSession = await again(issues, await get(issues), 'backoffice=none');
  expect(withoutSession).toMatchObject({ status: 401, etag: null });
});
