import { expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Creates an issue and finds it in the list. */
async function create(issue: InputOf<'issues.create'>) {
  const { client } = backoffice.superadmin;
  const { id } = await client.call('issues.create', issue);
  const list = await client.call('issues.list');
  if (!('issues' in list)) throw new Error('The list of issues has no issues.');
  return list.issues.find((listed) => listed.id === id);
}

test('section 2: an issue has exactly the nine fields of the contract, with their types', async () => {
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
    created_at: expect.stringMatching(timestampPattern),
    updated_at: expect.stringMatching(timestampPattern),
  });
  expect(issue?.id).toSatisfy(Number.isSafeInteger);
});

test('section 2: omitted fields have their defaults: Other, Low and two empty strings', async () => {
  expect(await create({ title: 'Bare' })).toMatchObject({
    category: 'Other',
    severity: 'Low',
    description: '',
    steps_to_reproduce: '',
  });
});

test('section 2: an empty category becomes Other and an empty severity becomes Low', async () => {
  expect(await create({ title: 'Empty', category: '', severity: '' })).toMatchObject({
    category: 'Other',
    severity: 'Low',
  });
});

test('section 2: the title is stored trimmed and keeps its inner spaces', async () => {
  expect(await create({ title: ' \t two  words \n' })).toMatchObject({ title: 'two  words' });
});

test('section 2: the other texts are stored as given', async () => {
  const given = { category: ' ux ', severity: ' odd ', description: ' a ', steps_to_reproduce: '\n1. b\n' };
  expect(await create({ title: 'As given', ...given })).toMatchObject(given);
});

test('section 2: category and severity accept any text', async () => {
  const given = { category: 'Überraschung 🐛', severity: 'Blocker' };
  expect(await create({ title: 'Free', ...given })).toMatchObject(given);
});

test('section 2: created_at and updated_at are set to the creation time', async () => {
  const before = Date.now();
  const issue = await create({ title: 'Now' });
  const created = Date.parse(issue?.created_at ?? '');
  // The test and its Postgres share a clock, and both cut it to milliseconds.
  expect(created).toBeGreaterThanOrEqual(before - 1);
  expect(created).toBeLessThanOrEqual(Date.now() + 1);
  expect(issue?.updated_at).toBe(issue?.created_at);
});

test('section 2: the service assigns unique ids and ignores ids in requests', async () => {
  const first = await backoffice.api.post('/issues', { id: 7_000_000, title: 'Mine' });
  const second = await backoffice.api.post('/issues', { id: 7_000_000, title: 'Mine too' });
  expect(first).toEqual({ status: 200, body: { success: true, id: expect.any(Number) } });
  expect(second.body).not.toEqual(first.body);
  expect(await backoffice.sql('select from issues where id = 7000000')).toEqual([]);
});

test('section 2: the request cannot set the status of a new issue', async () => {
  await backoffice.api.post('/issues', { title: 'Born closed?', status: 'Closed' });
  expect(await backoffice.sql("select status from issues where title = 'Born closed?'")).toEqual([
    { status: 'Open' },
  ]);
});

test('section 2: every status change refreshes updated_at and keeps created_at', async () => {
  const [issue] = await backoffice.sql<{ id: string }>(`
    insert into issues (title, created_at, updated_at) values ('Old', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z')
    returning id
  `);
  expect(await backoffice.api.put('/issues', { id: Number(issue?.id), status: 'Open' })).toEqual(success);
  const [{ is_fresh, created_at } = {}] = await backoffice.sql(
    "select updated_at > now() - interval '1 minute' as is_fresh, created_at from issues where id = $1",
    [issue?.id],
  );
  expect(is_fresh).toBe(true);
  expect(created_at).toEqual(new Date('2020-01-01T00:00:00Z'));
});
