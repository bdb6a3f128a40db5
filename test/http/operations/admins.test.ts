import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { enrolApp, signIn, statusWith } from '../../support/here/accounts.ts';
import { type ApiResponse, apiAs, atOnce, errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, openSession, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

let ada: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  ada = await backoffice.service.signIn('admin', 'ada@example.com');
  ben = await backoffice.service.signIn('user', 'ben@example.com');
  await backoffice.superadmin.client.call('admins.changeActivity', { id: ben.id, is_active: 0 });
});

const list = (input: InputOf<'admins.list'>) => backoffice.superadmin.client.call('admins.list', input);

test('lists the admins of some roles, and those that are active', async () => {
  const found = async (input: InputOf<'admins.list'>) => {
    const { admins, pagination } = await list(input);
    expect(pagination.total).toBe(admins.length);
    return admins.map(({ id }) => id);
  };
  expect(await found({ role: 'admin,user' })).toEqual([ada.id, ben.id]);
  expect(await found({ role: 'admin,user', is_active: '1' })).toEqual([ada.id]);
  expect(await found({ is_active: '0', q: 'ben' })).toEqual([ben.id]);
  expect(await found({ is_active: '0', q: 'ada' })).toEqual([]);
});

test('tells when each admin signed in and how many factors it has, to those who may see sessions', async () => {
  const { id } = backoffice.superadmin;
  const row = async () => {
    const { admins } = await list({ include: 'sign_in' });
    return { ada: admins.find((admin) => admin.id === ada.id), me: admins.find((admin) => admin.id === id) };
  };
  await enrolApp(ada);
  const { ada: before, me } = await row();
  expect(before?.sign_in?.factors).toBe(1);
  expect(me?.sign_in?.factors).toBe(0);
  expect(Math.abs(Date.parse(String(before?.sign_in?.last_at)) - Date.now())).toBeLessThan(120_000);
  await backoffice.sql('delete from sign_in_networks where admin_id = $1', [ada.id]);
  expect((await row()).ada?.sign_in).toEqual({ last_at: null, factors: 1 });
  const user = await backoffice.service.signIn('user');
  expect(await apiAs(backoffice.service.url, user).get('/admins?include=sign_in')).toEqual(
    errorResponse(403, 'Insufficient permissions.'),
  );
  expect((await apiAs(backoffice.service.url, user).get('/admins')).status).toBe(200);
});

const statuses = (answers: ApiResponse[]) => {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, group.length]));
};

const taken = errorResponse(409, 'An admin with this email already exists.');

test('creates one of a hundred admins with the same email, and answers 409 to 99', async () => {
  const { api } = backoffice;
  const answers = await atOnce(100, (index) =>
    api.post('/admins', {
      email: index % 2 ? ' One@Example.com' : 'one@example.COM ',
      password: 'long enough',
    }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 99 });
  expect(answers.filter(({ status }) => status === 409)).toEqual(Array(99).fill(taken));
  expect(await backoffice.sql("select email from admins where email = 'one@example.com'")).toHaveLength(1);
});

test('lets one of twenty admins change to the same email, and answers 409 to 19', async () => {
  const { api } = backoffice;
  const rows = await backoffice.sql(`
    insert into admins (email, username) select 'many-' || n, 'M' from generate_series(1, 20) as n returning id
  `);
  const answers = await atOnce(20, (index) =>
    api.put('/admins', { id: rows[index]?.id, email: 'same@example.com' }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
  expect(await backoffice.sql("select from admins where email = 'same@example.com'")).toHaveLength(1);
});

test('two admins that swap emails at once still have two different emails, and neither request fails', async () => {
  const { api } = backoffice;
  const [a, b] = await backoffice.sql(`
    insert into admins (email, username) values ('a@example.com', 'A'), ('b@example.com', 'B') returning id
  `);
  for (let round = 0; round < 10; round++) {
    const answers = await atOnce(20, (index) =>
      api.put('/admins', {
        id: (index % 2 ? a : b)?.id,
        email: (index + round) % 2 ? 'b@example.com' : 'a@example.com',
      }),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
  }
  const emails = await backoffice.sql('select distinct email from admins where id in ($1, $2)', [
    a?.id,
    b?.id,
  ]);
  expect(emails).toHaveLength(2);
});

test('deleting one admin twenty times at once answers 200 twenty times', async () => {
  const { api } = backoffice;
  const [row] = await backoffice.sql(
    "insert into admins (email, username) values ('gone', 'G') returning id",
  );
  const answers = await atOnce(20, () => api.delete(`/admins?id=${row?.id}`));
  expect(statuses(answers)).toEqual({ 200: 20 });
  expect(await backoffice.sql('select from admins where id = $1', [row?.id])).toEqual([]);
});

test('other requests are served while a dozen admins are created', async () => {
  const { api, service } = backoffice;
  const { passwords } = service.services;
  const hashing = Promise.withResolvers<string>();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(passwords, 'hash').mockReturnValue(hashing.promise);
  const creations = atOnce(12, (index) =>
    api.post('/admins', { email: `own-${index}@example.com`, password: 'long enough' }),
  );
  const { outside } = service.services.limiters;
  await expect.poll(() => outside.waiting).toBe(12 - outside.limits.perCaller);
  // A request that needs no hash does not wait for them.
  const reads = await atOnce(30, () => api.get('/issues?period=daily'));
  hashing.resolve('a hash');
  expect(statuses(reads)).toEqual({ 200: 30 });
  expect(statuses(await creations)).toEqual({ 200: 12 });
});

describe('the activity of an admin', () => {
  const second = instanceHere(backoffice);
  let target: SignedIn;

  beforeEach(async () => {
    target = await backoffice.service.signIn('admin');
  });

  const change = (id: unknown, is_active: unknown, by = backoffice.api) =>
    by.put('/admins/activity', { id, is_active });

  test('ends every session immediately, on every instance', async () => {
    const other = await openSession(second.url, target.email);
    expect(await change(target.id, 0)).toEqual(success);
    for (const cookie of [target.cookie, other]) {
      expect(await statusWith(backoffice.service, cookie)).toBe(401);
      expect(await statusWith(second, cookie)).toBe(401);
    }
    expect(await statusWith(backoffice.service, backoffice.superadmin.cookie)).toBe(200);
  });

  test('prevents sign-in once it has ended, with the same error as a wrong password', async () => {
    await change(target.id, 0);
    const response = await signIn(backoffice.service, { email: target.email, password });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Invalid email or password.' });
  });

  test('is in the list, and changes nothing else', async () => {
    const listed = async () => {
      const { admins } = await list({ limit: 100 });
      return admins.find(({ id }) => id === target.id);
    };
    const before = await listed();
    await change(target.id, 0);
    expect(await listed()).toEqual({ ...before, is_active: 0 });
  });

  test('can be given back; the old sessions stay ended', async () => {
    await change(target.id, 0);
    expect(await change(target.id, 1)).toEqual(success);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(401);
    const cookie = await openSession(backoffice.service.url, target.email);
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
  });

  test('ends no session when it is given to an active admin', async () => {
    expect(await change(target.id, 1)).toEqual(success);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(200);
  });

  test('cannot be ended by the admin itself', async () => {
    const { service, superadmin } = backoffice;
    for (const { id, cookie } of [superadmin, target]) {
      const self = apiAs(service.url, { cookie });
      expect(await change(id, 0, self)).toEqual(
        errorResponse(403, 'You cannot deactivate your own account.'),
      );
      expect(await change(id, 1, self)).toEqual(success);
      expect(await statusWith(service, cookie)).toBe(200);
    }
  });

  test('can be ended by an admin, even that of a superadmin', async () => {
    const { id } = await backoffice.service.signIn('superadmin');
    expect(await change(id, 0, apiAs(backoffice.service.url, target))).toEqual(success);
    expect(await backoffice.sql('select is_active from admins where id = $1', [id])).toEqual([
      { is_active: 0 },
    ]);
  });

  test('and other fields end no session if they are not as the caller saw them', async () => {
    const { id } = target;
    const expected = { role: 'user' };
    const changed = errorResponse(409, 'Changed meanwhile: role is now admin.');
    const put = (path: string, body: object) => backoffice.api.put(path, { id, expected, ...body });
    expect(await put('/admins/activity', { is_active: 0 })).toEqual(changed);
    expect(await put('/admins', { password: 'another password' })).toEqual(changed);
    // Also before the error that an e-mail is taken.
    expect(await put('/admins', { email: backoffice.superadmin.email })).toEqual(changed);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(200);
  });
});

describe('in strict mode, the activity', () => {
  const strict = backofficeHere({ BACKOFFICE_STRICT_ROLES: '1' });
  let admin: SignedIn;

  beforeAll(async () => {
    admin = await strict.service.signIn('admin');
  });

  const change = (by: SignedIn, { id }: SignedIn, is_active: 0 | 1) =>
    apiAs(strict.service.url, by).put('/admins/activity', { id, is_active });

  const activeSuperadmins = async () =>
    (await strict.sql(`select id from admins where role = 'superadmin' and is_active = 1`)).map(
      ({ id }) => id,
    );

  test('an admin cannot change the activity of an admin of a higher role', async () => {
    const above = errorResponse(403, 'You cannot change an admin whose role is above yours.');
    expect(await change(admin, strict.superadmin, 0)).toEqual(above);
    expect(await change(admin, strict.superadmin, 1)).toEqual(above);
    expect(await activeSuperadmins()).toEqual([strict.superadmin.id]);
  });

  test('only a superadmin changes the activity of another admin', async () => {
    const others = errorResponse(
      403,
      'Only superadmin can delete another admin, or change its e-mail, password, role or activity.',
    );
    for (const role of ['admin', 'user'] as const) {
      const target = await strict.service.signIn(role);
      expect(await change(admin, target, 0)).toEqual(others);
      expect(await change(admin, target, 1)).toEqual(others);
      expect(await change(strict.superadmin, target, 0)).toEqual(success);
    }
    const other = await strict.service.signIn('superadmin');
    expect(await change(strict.superadmin, other, 0)).toEqual(success);
    expect(await change(strict.superadmin, other, 1)).toEqual(success);
    expect(await change(strict.superadmin, other, 0)).toEqual(success);
  });

  test('the last active superadmin cannot be deactivated, not even by an API token', async () => {
    const { secret } = await strict.service.createToken('superadmin');
    const response = await strict.service.fetch('/api/admin/admins/activity', {
      method: 'PUT',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ id: strict.superadmin.id, is_active: 0 }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: 'The last active superadmin cannot be removed, deactivated or demoted.',
    });
    expect(await activeSuperadmins()).toEqual([strict.superadmin.id]);
  });

  test('when two superadmins deactivate each other at the same time, one stays active', async () => {
    const other = await strict.service.signIn('superadmin');
    const answers = await Promise.all([
      change(strict.superadmin, other, 0),
      change(other, strict.superadmin, 0),
    ]);
    expect(await activeSuperadmins()).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
