import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { apiOfRole, enrolApp, signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, atOnce, countByStatus, errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere, openSession, password, type SignedIn, startInstance } from '../../support/here.ts';

const backoffice = backofficeHere();

let ada: SignedIn;

beforeAll(async () => {
  ada = await backoffice.service.signIn('admin', 'ada@example.com');
});

const list = (input: InputOf<'admins.list'>) => backoffice.superadmin.client.call('admins.list', input);
const insert = (rows: string) =>
  backoffice.sql<{ id: string }>(`insert into admins (email, username) ${rows} returning id`);

test('lists the admins of some roles, and those that are active', async () => {
  const [ben] = await insert(`values ('ben@example.com', 'Ben')`);
  await backoffice.sql(`update admins set role = 'user', is_active = 0 where id = $1`, [ben?.id]);
  for (const [input, ids] of [
    [{ role: 'admin,user' }, [ada.id, ben?.id]],
    [{ role: 'admin,user', is_active: '1' }, [ada.id]],
    [{ is_active: '0', q: 'ben' }, [ben?.id]],
  ] as const) {
    const { admins, pagination } = await list(input);
    expect([pagination.total, admins.map(({ id }) => id)]).toEqual([ids.length, ids]);
  }
});

test('tells when each admin signed in and how many factors it has, to those who may see sessions', async () => {
  await enrolApp(ada);
  const signInOf = async ({ email }: SignedIn) =>
    (await list({ include: 'sign_in', q: email })).admins[0]?.sign_in;
  expect(await signInOf(backoffice.superadmin)).toMatchObject({ factors: 0 });
  const { factors, last_at } = (await signInOf(ada)) ?? {};
  expect(factors).toBe(1);
  expect(Math.abs(Date.parse(String(last_at)) - Date.now())).toBeLessThan(120_000);
  const user = await apiOfRole(backoffice, 'user');
  expect(await user.get('/admins?include=sign_in')).toEqual(errorResponse(403, 'Insufficient permissions.'));
});

test('one of a hundred requests creates an admin with an email, or changes to it, and 99 get 409', async () => {
  const { api } = backoffice;
  const taken = errorResponse(409, 'An admin with this email already exists.');
  const rows = await insert(`select 'many-' || n, 'M' from generate_series(1, 50) as n`);
  const email = (index: number) => (index % 2 ? ' One@Example.com' : 'one@example.COM ');
  const answers = await atOnce(100, (index) =>
    index < 50
      ? api.put('/admins', { id: rows[index]?.id, email: email(index) })
      : api.post('/admins', { email: email(index), password: 'long enough' }),
  );
  expect(countByStatus(answers)).toEqual({ 200: 1, 409: 99 });
  expect(answers.filter(({ status }) => status === 409)).toEqual(Array(99).fill(taken));
  expect((await list({ q: 'one@example.com' })).admins).toHaveLength(1);
});

describe('an e-mail with letters of other languages', () => {
  const taken = errorResponse(409, 'An admin with this email already exists.');
  const forms = ['j\u00fcrgen', 'ju\u0308rgen'].flatMap((name) =>
    ['m\u00fcnchen', 'mu\u0308nchen', 'xn--mnchen-3ya'].map((host) => `${name}@${host}.example`),
  );
  const [stored = ''] = forms;
  const statusOf = async (email: string, secret = password) =>
    (await signIn(backoffice.service, { email, password: secret })).status;

  test('has one account, in whatever form it is typed', async () => {
    const { body } = await backoffice.api.post('/admins', { email: forms.at(-1), password });
    const { id } = (body as { admin: { id: string } }).admin;
    expect(body).toMatchObject({ admin: { email: stored, username: 'j\u00fcrgen' } });
    for (const email of forms) {
      expect(await backoffice.api.post('/admins', { email, password }), email).toEqual(taken);
      expect(await backoffice.api.put('/admins', { id: ada.id, email }), email).toEqual(taken);
      expect(await backoffice.api.post('/invitations', { email, role: 'user' }), email).toEqual(taken);
      expect(await statusOf(` ${email.toUpperCase()}`), email).toBe(200);
    }
    await backoffice.api.delete(`/admins?id=${id}`);
  });

  test.for([
    'ju\u0308rgen@xn--mnchen-3ya.example',
    'j\u00fcrgen@xn--mnchen-3ya.example',
    'ju\u0308rgen@mu\u0308nchen.example',
  ])('that SQL or an older version wrote as %j can sign in, and is no second account', async (email) => {
    const { id } = await backoffice.service.signIn('user');
    await backoffice.sql('update admins set email = $1 where id = $2', [email, id]);
    expect(await statusOf(stored)).toBe(200);
    expect(await statusOf(email)).toBe(200);
    expect(await backoffice.api.post('/admins', { email: stored, password })).toEqual(taken);
    expect(await backoffice.api.put('/admins', { id: ada.id, email: stored })).toEqual(taken);
    // Two that are there already keep signing in, each with its own.
    const [other] = await insert(`values ('${stored}', 'J')`);
    await backoffice.sql(
      'update admins set password_hash = (select password_hash from admins where id = $1) where id = $2',
      [id, other?.id],
    );
    const accountOf = async (typed: string) =>
      (await (await signIn(backoffice.service, { email: typed, password })).json()) as object;
    expect(await accountOf(email)).toMatchObject({ admin: { id } });
    expect(await accountOf(stored)).toMatchObject({ admin: { id: other?.id } });
    expect(await backoffice.api.put('/admins', { id, username: 'J', email })).toEqual(taken);
    await backoffice.sql('delete from admins where id = any($1)', [[id, other?.id]]);
    await backoffice.sql('delete from rate_limits');
  });

  test('counts its wrong passwords together', async () => {
    for (const email of [...forms, ...forms].slice(0, 10)) expect(await statusOf(email, 'wrong')).toBe(401);
    for (const email of forms) expect(await statusOf(email, 'wrong')).toBe(429);
    await backoffice.sql('delete from rate_limits');
  });
});

// That its end ends the sessions, test/http/sessions/endings.test.ts shows, and who may change it with strict roles
// test/services/sign-in/strict-roles.test.ts.
describe('the activity of an admin', () => {
  let target: SignedIn;

  beforeEach(async () => {
    target = await backoffice.service.signIn('admin');
  });

  const change = (id: unknown, is_active: unknown, by = backoffice.api) =>
    by.put('/admins/activity', { id, is_active });

  test('prevents sign-in once it has ended, with the error of a wrong password, and changes nothing else', async () => {
    const listed = async () => (await list({ q: target.email })).admins;
    const before = await listed();
    await change(target.id, 0);
    expect(await listed()).toEqual([{ ...before[0], is_active: 0 }]);
    const response = await signIn(backoffice.service, { email: target.email, password });
    expect([response.status, await response.json()]).toEqual([401, { error: 'Invalid email or password.' }]);
    // Given back, the old sessions stay ended, and giving it again ends none.
    expect(await change(target.id, 1)).toEqual(success);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(401);
    const cookie = await openSession(backoffice.service.url, target.email);
    expect(await change(target.id, 1)).toEqual(success);
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
  });

  test('cannot be ended by the admin itself, but by an admin, even that of a superadmin', async () => {
    const { service, superadmin } = backoffice;
    const refused = errorResponse(403, 'You cannot deactivate your own account.');
    for (const { id, cookie } of [superadmin, target]) {
      const self = apiAs(service.url, { cookie });
      expect(await change(id, 0, self)).toEqual(refused);
      expect(await change(id, 1, self)).toEqual(success);
      expect(await statusWith(service, cookie)).toBe(200);
    }
    const { id, email } = await service.signIn('superadmin');
    expect(await change(id, 0, apiAs(service.url, target))).toEqual(success);
    expect((await list({ q: email })).admins).toMatchObject([{ is_active: 0 }]);
  });

  test('stays with one superadmin in strict mode, also if two end that of each other at once', async () => {
    const strict = await startInstance(backoffice, { BACKOFFICE_STRICT_ROLES: '1' });
    const pair = [await strict.signIn('superadmin'), await strict.signIn('superadmin')] as const;
    const ids = pair.map(({ id }) => id);
    await backoffice.sql(`update admins set is_active = 0 where role = 'superadmin' and id <> all($1)`, [
      ids,
    ]);
    const [ada, bob] = pair;
    const answers = await Promise.all([
      change(bob.id, 0, apiAs(strict.url, ada)),
      change(ada.id, 0, apiAs(strict.url, bob)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const active = await backoffice.sql('select id from admins where id = any($1) and is_active = 1', [ids]);
    expect(active).toHaveLength(1);
  });
});
