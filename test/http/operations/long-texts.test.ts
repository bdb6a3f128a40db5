import { expect, test } from 'vitest';
import { errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

test('a text that is too long is 400 and names the field and the bound; one of the maximum length is stored', async () => {
  const { api } = backoffice;
  const post = (fields: object) => api.post('/issues', { title: 'A', ...fields });
  expect(await post({ title: ` ${'🐛'.repeat(1_001)} ` })).toEqual(
    errorResponse(400, 'title must be at most 1,000 characters.'),
  );
  expect(await post({ description: 'x'.repeat(100_001) })).toEqual(
    errorResponse(400, 'description must be at most 100,000 characters.'),
  );
  const longest = { title: '🐛'.repeat(1_000), description: '🐛'.repeat(100_000) };
  const { status, body } = await post(longest);
  expect(status).toBe(200);
  expect((await api.get(`/issues?id=${(body as { id: number }).id}`)).body).toMatchObject({
    issues: [longest],
  });
});

test('a row that has a longer text already stays readable, and its other fields can be changed', async () => {
  const { api, sql } = backoffice;
  const title = 'x'.repeat(150_000);
  const [row] = await sql<{ id: string }>('insert into issues (title) values ($1) returning id', [title]);
  const seen = { title, status: 'Open' };
  expect(await api.put('/issues', { id: row?.id, status: 'Closed', expected: seen })).toEqual(success);
  expect((await api.get(`/issues?id=${row?.id}`)).body).toMatchObject({
    issues: [{ title, status: 'Closed' }],
  });
});

test('a batch of settings has at most 1,000 keys, and each value at most 100,000 characters', async () => {
  const { api } = backoffice;
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  const tooMany = (field: string) => errorResponse(400, `${field} must have at most 1,000 keys.`);
  expect(await api.put('/settings', { updates: keys(1_001) })).toEqual(tooMany('updates'));
  expect(await api.put('/settings', { updates: {}, expected: keys(1_001) })).toEqual(tooMany('expected'));
  expect(await api.put('/settings', { updates: keys(1_000) })).toEqual(success);
  const long = 'x'.repeat(100_001);
  expect(await api.put('/settings', { updates: { a: 'b', c: long } })).toEqual(
    errorResponse(400, 'updates.c must be at most 100,000 characters.'),
  );
  expect(await api.put('/settings', { key: 'c', value: long })).toEqual(
    errorResponse(400, 'value must be at most 100,000 characters.'),
  );
  expect(await api.put('/settings', { key: 'c', value: ` ${'🐛'.repeat(100_000)} ` })).toEqual(success);
});
