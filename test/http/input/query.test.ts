import { beforeAll, describe, expect, test } from 'vitest';
import { ResponseError } from '../../../src/contract/client/client.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

beforeAll(async () => {
  await backoffice.sql(`
    insert into admins (email, username) select n || '@example.com', 'Filler' from generate_series(1, 2) as n
  `);
});

describe('a parameter that is given twice has its first value', () => {
  test('period', async () => {
    expect((await backoffice.api.get('/issues?period=daily&period=')).body).toHaveProperty('totalIssues');
    expect((await backoffice.api.get('/issues?period=&period=daily')).body).toHaveProperty('issues');
  });

  test('section', async () => {
    const { body } = await backoffice.api.get('/settings?section=none&section=scraping');
    expect(Object.keys(body as object).sort()).toEqual(['profile', 'settings']);
  });

  test('the id of an admin to delete', async () => {
    const rows = await backoffice.sql("select id from admins where username = 'Filler' limit 2");
    const [first, second] = rows.map(({ id }) => id);
    expect((await backoffice.api.delete(`/admins?id=${first}&id=${second}`)).status).toBe(200);
    expect(await backoffice.sql('select id from admins where id in ($1, $2)', [first, second])).toEqual([
      { id: second },
    ]);
  });
});

describe('a parameter name is literal', () => {
  test.for([
    'period[]=daily',
    'period[a]=daily',
    'period.a=daily',
    '__proto__[period]=daily',
    'Period=daily',
  ])('%s is a different parameter', async (query) => {
    expect((await backoffice.api.get(`/issues?${query}`)).body).toHaveProperty('issues');
  });

  test.for(['%', '%zz', '%ff%fe', '&&&', '=', '?', 'a=1&'.repeat(2000)])(
    'unusual query strings are accepted: %j',
    async (query) => {
      expect((await backoffice.api.get(`/issues?${query}`)).body).toHaveProperty('issues');
    },
  );
});

const strict = { prefer: 'handling=strict' };

/** Sends a request for issues as the superadmin, and returns what strict handling decides. */
async function send(query: string, prefer: Record<string, string> = strict, init: RequestInit = {}) {
  const response = await backoffice.service.fetch(`/api/admin/issues${query}`, {
    ...init,
    headers: { cookie: backoffice.superadmin.cookie, ...prefer },
  });
  const { error } = (await response.json()) as { error?: string };
  return { status: response.status, error, applied: response.headers.get('preference-applied') };
}

test.for([
  ['stauts', 'Did you mean status?'],
  ['Status', 'Did you mean status?'],
  ['limits', 'Did you mean limit?'],
  ['sorted', 'Did you mean sort?'],
] as const)('the error names the nearest parameter: %s', async ([name, hint]) => {
  expect(await send(`?${name}=1`)).toMatchObject({
    status: 400,
    error: `Unknown parameter: ${JSON.stringify(name)}. ${hint}`,
  });
});

test('the error names the nearest field of a body', async () => {
  expect(await send('', strict, { method: 'POST', body: '{"title":"One","severty":"High"}' })).toMatchObject({
    status: 400,
    error: 'Unknown field: "severty". Did you mean severity?',
  });
});

test('known parameters pass, and the answer says that the preference was applied', async () => {
  expect(await send('?status=Open&sort=created_at&limit=1')).toEqual({
    status: 200,
    error: undefined,
    applied: 'handling=strict',
  });
});

test.for([
  'handling=strict',
  'Handling=Strict',
  'handling="strict"',
  'respond-async, handling=strict',
  'handling=strict; why=not',
  'wait=10,handling = strict',
  'handling=strict, handling=lenient',
])('a preference for it: %s', async (prefer) => {
  expect((await send('?stauts=1', { prefer })).status).toBe(400);
});

test.for([
  undefined,
  '',
  'handling=lenient',
  'handling=lenient, handling=strict',
  'return=minimal',
  'unhandling=strict',
])('no preference for it, so unknown parameters are ignored: %s', async (prefer) => {
  expect(await send('?stauts=1', prefer === undefined ? {} : { prefer })).toEqual({
    status: 200,
    error: undefined,
    applied: null,
  });
});

test('our own client asks for it', async () => {
  const { client } = backoffice.superadmin;
  const call = client.call('issues.list', { stauts: 'Open' } as object);
  await expect(call).rejects.toThrow(ResponseError);
  await expect(call).rejects.toThrow('Did you mean status?');
});
