import { expect, test } from 'vitest';
import { localAccess } from '../../../cli/access/local.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

const mine = {
  list: 'issues',
  name: 'Mine',
  filter: { assignee: 'me', status: 'Open,In Progress' },
} as const;
const stored = { ...mine, sort: null, columns: null, is_first: false };
const save = (by: SignedIn, view: InputOf<'views.save'>) => by.client.call('views.save', view);
const viewsOf = async (by: SignedIn) => (await by.client.call('views.list')).views;

test('a view is created, changed field by field, renamed and deleted', async () => {
  const grace = await backoffice.service.signIn('user');
  await save(grace, mine);
  expect(await viewsOf(grace)).toEqual([stored]);
  const { list, name } = mine;
  await save(grace, { list, name, sort: '-updated_at', columns: ['id', 'title'], is_first: true });
  const changed = { ...stored, sort: '-updated_at', columns: ['id', 'title'], is_first: true };
  expect(await viewsOf(grace)).toEqual([changed]);
  // An empty parameter does not filter.
  await save(grace, {
    list,
    name,
    new_name: 'Ours',
    filter: { q: 'checkout', since: '30d', label: '' },
    sort: null,
  });
  const renamed = { ...changed, name: 'Ours', filter: { q: 'checkout', since: '30d' }, sort: null };
  expect(await viewsOf(grace)).toEqual([renamed]);
  await save(grace, { list: 'conversations', name: 'Mine', filter: { unread: 'true' } });
  expect((await grace.client.call('views.list', { list })).views).toEqual([renamed]);
  await grace.client.call('views.delete', { list, name: 'Ours' });
  expect((await viewsOf(grace)).map(({ list }) => list)).toEqual(['conversations']);
});

test('a list opens with one view at most', async () => {
  const grace = await backoffice.service.signIn('user');
  for (const name of ['a', 'b']) await save(grace, { ...mine, name, is_first: true });
  await save(grace, { list: 'audit', name: 'c', filter: { event: 'issues.deleted' }, is_first: true });
  const first = async () => (await viewsOf(grace)).filter(({ is_first }) => is_first).map(({ name }) => name);
  expect(await first()).toEqual(['c', 'b']);
  await save(grace, { ...mine, name: 'b', is_first: false });
  expect(await first()).toEqual(['c']);
});

test.for<[InputOf<'views.save'>, string]>([
  [{ ...mine, filter: { stauts: 'Open' } }, 'filter.stauts is no filter of issues. Did you mean status?'],
  [{ ...mine, filter: { limit: '5' } }, 'filter.limit is no filter of issues.'],
  [
    { ...mine, filter: { status: 'Done' } },
    'filter.status must be one of: Open, In Progress, Resolved, Closed.',
  ],
  [{ ...mine, filter: { since: 'soon' } }, 'filter.since must be a time, such as 2026-01-31,'],
  [{ ...mine, sort: '-subject' }, 'sort must be one of: -created_at,'],
  [{ ...mine, list: 'conversations', filter: { severity: 'High' } }, 'filter.severity is no filter of conv'],
  [{ ...mine, name: 'b', new_name: 'a' }, 'There is a view with this name already.'],
])('%j is refused', async ([view, text]) => {
  const { client } = backoffice.superadmin;
  for (const name of ['a', 'b']) await client.call('views.save', { ...mine, name });
  await expect(client.call('views.save', view)).rejects.toThrow(text);
});

test('an account has its own views, its tokens have them too, and operators share theirs', async () => {
  const [grace, ada] = [await backoffice.service.signIn('user'), await backoffice.service.signIn('admin')];
  await save(grace, mine);
  await save(ada, { ...mine, filter: {} });
  expect(await viewsOf(grace)).toEqual([stored]);
  expect(await viewsOf(ada)).toEqual([{ ...stored, filter: {} }]);
  const { secret } = await grace.client.call('tokens.create', { name: 'laptop', read_only: true });
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await backoffice.service.fetch('/api/admin/views', { headers });
  expect(await answer.json()).toEqual({ views: [stored] });
  const operator = localAccess(backoffice.service.services);
  await operator.call('views.save', { ...mine, name: 'Of operators' });
  expect((await operator.call('views.list')).views.map(({ name }) => name)).toEqual(['Of operators']);
  await ada.client.call('views.delete', { list: 'issues', name: 'Mine' });
  expect(await viewsOf(grace)).toEqual([stored]);
  await backoffice.superadmin.client.call('admins.delete', { id: grace.id });
  expect(await backoffice.sql('select from saved_views where admin_id = $1', [grace.id])).toEqual([]);
});

test('there are at most 100, however many are saved at the same time', async () => {
  const grace = await backoffice.service.signIn('user');
  await backoffice.sql(
    `insert into saved_views (admin_id, list, name, filter) select $1, 'issues', n::text, '{}' from generate_series(1, 98) n`,
    [grace.id],
  );
  const saved = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => save(grace, { ...mine, name })));
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const text = 'You have 100 views already. Delete one first.';
  await expect(save(grace, { ...mine, name: 'e' })).rejects.toThrow(text);
  await save(grace, { ...mine, name: '1' });
});

test('a view that names a visitor is exported, and deleted with what is known of them', async () => {
  const grace = await backoffice.service.signIn('user');
  const { client } = backoffice.superadmin;
  const filter = { visitor_email: 'Ada.Byron@example.com' };
  await save(grace, { list: 'conversations', name: 'Of Ada', filter });
  await save(grace, mine);
  const email = 'ada.byron@example.com';
  expect(JSON.stringify(await client.call('visitors.export', { email }))).toContain('saved_views');
  await client.call('visitors.erase', { email });
  expect(await viewsOf(grace)).toEqual([stored]);
});
