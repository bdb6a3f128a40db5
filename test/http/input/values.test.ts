import { beforeEach, describe, expect, test } from 'vitest';
import { ResponseError } from '../../../src/contract/client/client.ts';
import { ask, errorResponse, errorResponseLike, success } from '../../support/here/requests.ts';
import { createIssues, statusesOf } from '../../support/here/rows.ts';
import { backofficeHere, password } from '../../support/here.ts';

const backoffice = backofficeHere();

const target = { id: 'admin_0_nobody', username: 'U' };

beforeEach(async () => {
  await backoffice.sql('truncate settings');
});

test('any text without control characters is an e-mail, and the blank ends of a name are trimmed', async () => {
  for (const [email, username, stored] of [
    ['not an address', ' Ada\t\n', 'Ada'],
    // The marks of right-to-left languages are part of names.
    ['ünï@çödé', '\u0639\u200f!', '\u0639\u200f!'],
    ['a,b@c.d', 'C', 'C'],
  ])
    expect(await backoffice.api.post('/admins', { email, username, password })).toMatchObject({
      status: 200,
      body: { admin: { email, username: stored } },
    });
});

test.for([
  { updates: { k: '\0' } },
  { updates: { 'k\0': 'v' } },
  { updates: { k: { deep: ['\0'] } } },
  { key: 'k', value: '\0' },
])('a NUL is 400 wherever it is: %j', async (body) => {
  expect(await backoffice.api.put('/settings', body)).toEqual(errorResponseLike(400, /NUL/));
});

test('null in an optional text counts as omitted', async () => {
  const { api } = backoffice;
  const nulls = { category: null, severity: null, description: null, steps_to_reproduce: null };
  expect(await api.post('/issues', { title: 'Nulls', ...nulls })).toMatchObject({ status: 200 });
  expect(
    await backoffice.sql("select category, severity, description from issues where title = 'Nulls'"),
  ).toEqual([{ category: 'Other', severity: 'Low', description: '' }]);
  expect(await api.put('/admins', { ...target, email: null, password: null })).toEqual(success);
});

test('a lone surrogate is replaced, in values and in keys', async () => {
  expect(
    await backoffice.api.put('/settings', '{"updates":{"a":"x\\ud800y","b\\udc00":"\\ud83d\\udc1b"}}'),
  ).toEqual(success);
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  expect(settings).toEqual({ a: 'x\u{fffd}y', 'b\u{fffd}': '🐛' });
});

describe('special names are ordinary keys', () => {
  test.for(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s', async (key) => {
    expect(await backoffice.api.put('/settings', `{"updates":{"${key}":"theirs"}}`)).toEqual(success);
    expect(await backoffice.sql('select setting_key, setting_value from settings')).toEqual([
      { setting_key: key, setting_value: 'theirs' },
    ]);
    const { service, superadmin } = backoffice;
    const { text } = await ask(service, '/api/admin/settings?section=none', { as: superadmin });
    expect(text).toContain(`{"settings":{"${key}":"theirs"}`);
  });

  test('__proto__ does not add fields to a request', async () => {
    const { api } = backoffice;
    const inherited =
      '{"__proto__":{"title":"T","id":"admin_0_nobody","username":"U","key":"k","value":"v"}}';
    expect(await api.post('/issues', inherited)).toEqual(errorResponse(400, 'Title is required'));
    expect(await api.put('/admins', inherited)).toEqual(errorResponse(400, 'Admin ID is required.'));
    expect(await api.put('/settings', inherited)).toEqual(errorResponse(400, 'key and value are required'));
  });
});

describe('nesting', () => {
  /** Nests objects. The body itself is the first level. */
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { deeper: nested(levels - 1) });

  const tooDeep = errorResponseLike(400, /32/);

  test('of 32 levels is accepted, and of 33 is 400', async () => {
    const { api } = backoffice;
    expect(await api.put('/settings', { updates: { k: nested(30) } })).toEqual(success);
    expect((await api.post('/issues', { title: 'T', ignored: nested(31) })).status).toBe(200);
    expect(await api.put('/settings', { updates: { k: nested(31) } })).toEqual(tooDeep);
    expect(await api.post('/issues', { title: 'T', ignored: nested(32) })).toEqual(tooDeep);
  });

  test('of 100,000 levels is 400, and the service keeps running', async () => {
    const deep = `{"title":"T","ignored":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await backoffice.api.post('/issues', deep)).toEqual(tooDeep);
    expect((await backoffice.api.post('/issues', { title: 'T' })).status).toBe(200);
  });
});

test('a setting key of 1,024 bytes is accepted, and a batch with a longer one writes nothing', async () => {
  const { api } = backoffice;
  expect(await api.put('/settings', { updates: { ['é'.repeat(512)]: 'v' } })).toEqual(success);
  const answer = await api.put('/settings', { updates: { fine: 'v', ['é'.repeat(513)]: 'v' } });
  expect(answer).toEqual(errorResponseLike(400, /1,024/));
  expect(await backoffice.sql("select from settings where setting_key = 'fine'")).toEqual([]);
});

describe('PUT issues', () => {
  const close = (body: string | object) => backoffice.api.put('/issues', body);

  test('an id that no row can have is unknown and succeeds, also a number too large for a double', async () => {
    const ids = await createIssues(backoffice, 1);
    for (const id of [0, -1, 1.5, 1e30, -1e30, 2 ** 53, 2 ** 63, ' ', 'abc'])
      expect(await close({ id, status: 'Closed' }), String(id)).toEqual(success);
    for (const id of ['1e999', '-1e999'])
      expect(await close(`{"id":${id},"status":"Closed"}`), id).toEqual(success);
    expect(await statusesOf(backoffice, ids)).toEqual({ Open: 1 });
  });

  test('an id may be a string of digits', async () => {
    const ids = await createIssues(backoffice, 1);
    expect(await close({ id: String(ids[0]), status: 'Closed' })).toEqual(success);
    expect(await statusesOf(backoffice, ids)).toEqual({ Closed: 1 });
  });
});

test('a parameter that is given twice has its first value', async () => {
  const { api } = backoffice;
  expect((await api.get('/issues?period=daily&period=')).body).toHaveProperty('totalIssues');
  expect((await api.get('/issues?period=&period=daily')).body).toHaveProperty('issues');
  const { body } = await api.get('/settings?section=none&section=scraping');
  expect(Object.keys(body as object).sort()).toEqual(['profile', 'settings']);
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
async function send(query: string, headers: Record<string, string> = strict, init: object = {}) {
  const path = `/api/admin/issues${query}`;
  const answer = await ask(backoffice.service, path, { as: backoffice.superadmin, headers, ...init });
  const { error } = answer.body as { error?: string };
  return { status: answer.status, error, applied: answer.headers.get('preference-applied') };
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
  const body = { title: 'One', severty: 'High' };
  expect(await send('', strict, { method: 'POST', body })).toMatchObject({
    status: 400,
    error: 'Unknown field: "severty". Did you mean severity?',
  });
});

test('known parameters pass, and the answer says that the preference was applied', async () => {
  const passed = { status: 200, error: undefined, applied: 'handling=strict' };
  expect(await send('?status=Open&sort=created_at&limit=1')).toEqual(passed);
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
  const ignored = { status: 200, error: undefined, applied: null };
  expect(await send('?stauts=1', prefer === undefined ? {} : { prefer })).toEqual(ignored);
});

test('our own client asks for it', async () => {
  const { client } = backoffice.superadmin;
  const call = client.call('issues.list', { stauts: 'Open' } as object);
  await expect(call).rejects.toThrow(ResponseError);
  await expect(call).rejects.toThrow('Did you mean status?');
});
