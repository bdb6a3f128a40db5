import { describe, expect, test } from 'vitest';
import { errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

async function insertIssue(): Promise<number> {
  const [row] = await backoffice.sql<{ id: string }>("insert into issues (title) values ('T') returning id");
  return Number(row?.id);
}

const statusOf = async (id: number) =>
  (await backoffice.sql('select status from issues where id = $1', [id]))[0]?.status;

describe('PUT issues', () => {
  test.for([
    0,
    -1,
    1.5,
    1e30,
    -1e30,
    2 ** 53,
    2 ** 63,
    '1e3',
    '1.5',
    'abc',
    ' ',
    '-1',
    '99999999999999999999',
    "1' or 1=1",
  ])('an id that no row can have is unknown and succeeds: %j', async (id) => {
    const issue = await insertIssue();
    expect(await backoffice.api.put('/issues', { id, status: 'Closed' })).toEqual(success);
    expect(await statusOf(issue)).toBe('Open');
  });

  test('a number too large for a double is an unknown id and succeeds', async () => {
    expect(await backoffice.api.put('/issues', '{"id":1e999,"status":"Closed"}')).toEqual(success);
    expect(await backoffice.api.put('/issues', '{"id":-1e999,"status":"Closed"}')).toEqual(success);
  });

  test.for(['', null, {}, [], [1], true, false])(
    'an id of another type counts as missing: %j',
    async (id) => {
      expect(await backoffice.api.put('/issues', { id, status: 'Closed' })).toEqual(
        errorResponse(400, 'id and status are required'),
      );
    },
  );

  test('an id may be a string of digits', async () => {
    const id = await insertIssue();
    expect(await backoffice.api.put('/issues', { id: String(id), status: 'Closed' })).toEqual(success);
    expect(await statusOf(id)).toBe('Closed');
  });
});

describe('PUT and DELETE admins', () => {
  test.for(['0', '-1', 'abc', ' ', '%', '_', "' or 1=1 --", 'x'.repeat(10_000), '🐛'])(
    'an id that no row has is unknown and succeeds: %j',
    async (id) => {
      const before = await backoffice.sql('select id, username from admins order by id');
      expect(await backoffice.api.put('/admins', { id, username: 'Changed' })).toEqual(success);
      expect(await backoffice.api.delete(`/admins?id=${encodeURIComponent(id)}`)).toEqual(success);
      expect(await backoffice.sql('select id, username from admins order by id')).toEqual(before);
    },
  );
});
