import { expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { success, timestamp } from '../../support/http/ask.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

/** Creates an issue and finds it in the list. */
async function create(issue: InputOf<'issues.create'>) {
  const { client } = backoffice.superadmin;
  const { id } = await client.call('issues.create', issue);
  const list = await client.call('issues.list');
  if (!('issues' in list)) throw new Error('The list of issues has no issues.');
  return list.issues.find((listed) => listed.id === id);
}

test('section 2: an issue has the nine fields of the contract, of its types, and no other', async () => {
  const issue = await create({
    title: 'Checkout fails',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens.',
    steps_to_reproduce: '1. Press the button',
  });
  expect(issue).toEqual({
    id: expect.any(Number),
    title: 'Checkout fails',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens.',
    steps_to_reproduce: '1. Press the button',
    status: 'Open',
    created_at: expect.stringMatching(timestamp),
    updated_at: expect.stringMatching(timestamp),
  });
  expect(issue?.id).toSatisfy(Number.isSafeInteger);
});

test('section 2: what is omitted has its default: Other, Low and two empty strings', async () => {
  expect(await create({ title: 'Bare' })).toMatchObject({
    category: 'Other',
    severity: 'Low',
    description: '',
    steps_to_reproduce: '',
  });
});

test('section 2: an empty category is Other, an empty severity is Low', async () => {
  expect(await create({ title: 'Empty', category: '', severity: '' })).toMatchObject({
    category: 'Other',
    severity: 'Low',
  });
});

test('section 2: the title is stored trimmed, its inner spaces stay', async () => {
  expect(await create({ title: ' \t two  words \n' })).toMatchObject({ title: 'two  words' });
});

test('section 2: the other texts are stored as given', async () => {
  const given = { category: ' ux ', severity: ' odd ', description: ' a ', steps_to_reproduce: '\n1. b\n' };
  expect(await create({ title: 'As given', ...given })).toMatchObject(given);
});

test('section 2: category and severity are free texts', async () => {
  const given = { category: 'Überraschung 🐛', severity: 'Blocker' };
  expect(await create({ title: 'Free', ...given })).toMatchObject(given);
});

test('section 2: created_at and updated_at are set on create, to the time of it', async () => {
  const before = Date.now();
  const issue = await create({ title: 'Now' });
  const created = Date.parse(issue?.created_at ?? '');
  // The clocks of the test and of its Postgres are one, to the millisecond that both cut off.
  expect(created).toBeGreaterThanOrEqual(before - 1);
  expect(created).toBeLessThanOrEqual(Date.now() + 1);
  expect(issue?.updated_at).toBe(issue?.created_at);
});

test('section 2: ids are assigned by the service, each its own, whatever the request says', async () => {
  const first = await backoffice.ask.post('/issues', { id: 7_000_000, title: 'Mine' });
  const second = await backoffice.ask.post('/issues', { id: 7_000_000, title: 'Mine too' });
  expect(first).toEqual({ status: 200, body: { success: true, id: expect.any(Number) } });
  expect(second.body).not.toEqual(first.body);
  expect(await backoffice.sql('select from issues where id = 7000000')).toEqual([]);
});

test('section 2: a status that comes with a new issue is not taken', async () => {
  await backoffice.ask.post('/issues', { title: 'Born closed?', status: 'Closed' });
  expect(await backoffice.sql("select status from issues where title = 'Born closed?'")).toEqual([
    { status: 'Open' },
  ]);
});

test('section 2: updated_at is refreshed on every change of status, created_at stays', async () => {
  const [issue] = await backoffice.sql<{ id: string }>(`
    insert into issues (title, created_at, updated_at) values ('Old', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z')
    returning id
  `);
  expect(await backoffice.ask.put('/issues', { id: Number(issue?.id), status: 'Open' })).toEqual(success);
  const [{ is_fresh, created_at } = {}] = await backoffice.sql(
    "select updated_at > now() - interval '1 minute' as is_fresh, created_at from issues where id = $1",
    [issue?.id],
  );
  expect(is_fresh).toBe(true);
  expect(created_at).toEqual(new Date('2020-01-01T00:00:00Z'));
});
