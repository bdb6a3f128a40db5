import { beforeEach, expect, test } from 'vitest';
import { ask, errorResponse, errorResponseLike, success } from '../../support/here/requests.ts';
import { createIssues, statusesOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

beforeEach(() => backoffice.sql('truncate settings'));

test('a NUL is 400 in a key, and deep inside of a value', async () => {
  for (const updates of [{ 'k\0': 'v' }, { k: { deep: ['\0'] } }])
    expect(await backoffice.api.put('/settings', { updates })).toEqual(errorResponseLike(400, /NUL/));
});

test('null in an optional text counts as omitted', async () => {
  const { api, sql } = backoffice;
  const nulls = { category: null, severity: null, description: null, steps_to_reproduce: null };
  expect(await api.post('/issues', { title: 'Nulls', ...nulls })).toMatchObject({ status: 200 });
  const stored = await sql("select category, severity, description from issues where title = 'Nulls'");
  expect(stored).toEqual([{ category: 'Other', severity: 'Low', description: '' }]);
  const target = { id: 'admin_0_nobody', username: 'U' };
  expect(await api.put('/admins', { ...target, email: null, password: null })).toEqual(success);
});

test('a lone surrogate is replaced, in values and in keys', async () => {
  const updates = '{"updates":{"a":"x\\ud800y","b\\udc00":"\\ud83d\\udc1b"}}';
  expect(await backoffice.api.put('/settings', updates)).toEqual(success);
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  expect(settings).toEqual({ a: 'x\u{fffd}y', 'b\u{fffd}': '🐛' });
});

test('special names are ordinary keys of settings', async () => {
  const { api, service, superadmin } = backoffice;
  for (const key of ['__proto__', 'constructor', 'toString']) {
    await backoffice.sql('truncate settings');
    expect(await api.put('/settings', `{"updates":{"${key}":"theirs"}}`)).toEqual(success);
    const { text } = await ask(service, '/api/admin/settings?section=none', { as: superadmin });
    expect(text).toContain(`{"settings":{"${key}":"theirs"}`);
  }
});

test('__proto__ does not add fields to a request', async () => {
  const { api } = backoffice;
  const inherited = '{"__proto__":{"title":"T","key":"k","value":"v"}}';
  expect(await api.post('/issues', inherited)).toEqual(errorResponse(400, 'Title is required'));
  expect(await api.put('/settings', inherited)).toEqual(errorResponse(400, 'key and value are required'));
});

test('a body may have 32 levels; one of 33, or of 100,000, is 400', async () => {
  const { api } = backoffice;
  /** Nests objects. The body itself is the first level. */
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { deeper: nested(levels - 1) });
  const tooDeep = errorResponseLike(400, /32/);
  expect(await api.put('/settings', { updates: { k: nested(30) } })).toEqual(success);
  expect((await api.post('/issues', { title: 'T', ignored: nested(31) })).status).toBe(200);
  expect(await api.put('/settings', { updates: { k: nested(31) } })).toEqual(tooDeep);
  expect(await api.post('/issues', { title: 'T', ignored: nested(32) })).toEqual(tooDeep);
  const deep = `{"title":"T","ignored":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(await api.post('/issues', deep)).toEqual(tooDeep);
});

test('a setting key may have 1,024 bytes, however few characters these are', async () => {
  const put = (key: string) => backoffice.api.put('/settings', { updates: { [key]: 'v' } });
  expect(await put('é'.repeat(512))).toEqual(success);
  expect(await put('é'.repeat(513))).toEqual(errorResponseLike(400, /1,024/));
});

test('an id may be digits in a text, and one that no row can have is unknown and succeeds', async () => {
  const ids = await createIssues(backoffice, 1);
  const close = (id: string) => backoffice.api.put('/issues', `{"id":${id},"status":"Closed"}`);
  // Also one that is too large for a double.
  for (const id of ['0', '-1', '1.5', '1e30', String(2 ** 53), '1e999', '-1e999', '" "', '"abc"'])
    expect(await close(id), id).toEqual(success);
  expect(await statusesOf(backoffice, ids)).toEqual({ Open: 1 });
  expect(await close(`"${ids[0]}"`)).toEqual(success);
  expect(await statusesOf(backoffice, ids)).toEqual({ Closed: 1 });
});

test.for(['period[]=daily', '__proto__[period]=daily', '%ff%fe', 'a=1&'.repeat(2000)])(
  'a query gives only the parameters that it names: %j',
  async (query) => {
    expect((await backoffice.api.get(`/issues?${query}`)).body).toHaveProperty('issues');
  },
);

test('a parameter that is given twice is 400, whatever the handling', async () => {
  const repeated = (name: string) => errorResponse(400, `${name} is given more than once. Send it once.`);
  for (const [method, path, name] of [
    ['GET', '/issues?status=Open&status=Closed', 'status'],
    ['GET', '/issues?period=&period=daily', 'period'],
    ['GET', '/admins?page=2&page=2', 'page'],
    ['DELETE', '/admins?id=a&id=b', 'id'],
    ['DELETE', '/issues?id=1&id=2', 'id'],
  ] as const)
    for (const headers of [{}, strict])
      expect(
        await ask(backoffice.service, `/api/admin${path}`, { method, as: backoffice.superadmin, headers }),
        path,
      ).toMatchObject(repeated(name));
});

const strict = { prefer: 'handling=strict' };

/** Sends a request for issues as the superadmin, and returns what strict handling decides. */
async function send(query: string, headers: Record<string, string> = strict, init: object = {}) {
  const path = `/api/admin/issues${query}`;
  const answer = await ask(backoffice.service, path, { as: backoffice.superadmin, headers, ...init });
  const { error } = answer.body as { error?: string };
  return { status: answer.status, error, applied: answer.headers.get('preference-applied') };
}

test('the error names the nearest parameter, or field of a body', async () => {
  for (const [name, hint] of [
    ['stauts', 'status'],
    ['Status', 'status'],
    ['sorted', 'sort'],
  ]) {
    const error = `Unknown parameter: ${JSON.stringify(name)}. Did you mean ${hint}?`;
    expect(await send(`?${name}=1`)).toMatchObject({ status: 400, error });
  }
  const error = 'Unknown field: "severty". Did you mean severity?';
  const body = { title: 'One', severty: 'High' };
  expect(await send('', strict, { method: 'POST', body })).toMatchObject({ status: 400, error });
});

test.for([
  ['Handling="Strict"', 400],
  ['handling=strict, handling=lenient', 400],
  ['handling=lenient, handling=strict', 200],
  ['return=minimal', 200],
  ['', 200],
] as const)('with Prefer: %s, an unknown parameter is %i', async ([prefer, status]) => {
  expect(await send('?stauts=1', { prefer })).toMatchObject({
    status,
    applied: status === 400 ? 'handling=strict' : null,
  });
});
