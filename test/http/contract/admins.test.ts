import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { apiOfRole } from '../../support/here/accounts.ts';
import { apiAs, errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere, openSession, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

describe('the list of admins', () => {
  /** Inserts 120 admins. With the superadmin, who is the newest, there are thirteen pages of ten. */
  beforeAll(async () => {
    // Three have the same time, and are not inserted in the order of their ids.
    await backoffice.sql(`
      insert into admins (id, email, username, created_at)
      select 'admin_1_' || lpad(n::text, 6, '0'), n || '@example.com', 'Admin ' || n, timestamptz '2026-01-01' - make_interval(days => n)
      from generate_series(1, 117) as n
      union all select 'admin_2_' || tie, tie, 'Tie', '2026-02-01' from unnest(array['b', 'c', 'a']) as tie
    `);
  });

  afterAll(() => backoffice.sql(`delete from admins where id like 'admin\\__\\_%'`));

  async function page(query: string) {
    const { status, body } = await backoffice.api.get(`/admins${query}`);
    expect(status).toBe(200);
    return body as { admins: { id: string; created_at: string }[]; pagination: { page: number } };
  }

  test.for<[what: string, query: string, page: number, limit: number, totalPages: number, size: number]>([
    ['the defaults if they are absent', '', 1, 10, 13, 10],
    ['the defaults if they are empty', 'page=&limit=', 1, 10, 13, 10],
    ['the defaults if they are no numbers', 'page=abc&limit=null', 1, 10, 13, 10],
    ['numbers that are unusually written', 'page=%2B03&limit=%207%20', 3, 7, 18, 7],
    ['fractions, truncated', 'page=2.9&limit=7.9', 2, 7, 18, 7],
    ['0 as 1', 'page=0&limit=0', 1, 1, 121, 1],
    ['the remaining admins on the last page', 'page=13', 13, 10, 13, 1],
    ['nothing on a page beyond the last', 'page=14', 14, 10, 13, 0],
    ['a limit of 101 as 100', 'limit=101', 1, 100, 2, 100],
    ['a huge limit as 100', `limit=${'9'.repeat(400)}`, 1, 100, 2, 100],
    ['a total that the limit divides without another page', 'limit=11', 1, 11, 11, 11],
  ])('section 4.8: page and limit have %s', async ([, query, number, limit, totalPages, size]) => {
    const { admins, pagination } = await page(`?${query}`);
    expect(pagination).toEqual({ page: number, limit, total: 121, totalPages });
    expect(admins).toHaveLength(size);
  });

  test('section 4.8: the pages together have every admin once, in order', async () => {
    const pages = await Promise.all(Array.from({ length: 13 }, (_, index) => page(`?page=${index + 1}`)));
    const admins = pages.flatMap((answer) => answer.admins);
    expect(new Set(admins.map(({ id }) => id)).size).toBe(121);
    const inOrder = admins.toSorted(
      (a, b) => a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1),
    );
    expect(admins).toEqual(inOrder);
  });
});

test('section 2: an admin has exactly six fields, set by the service, and its password is stored as a hash', async () => {
  const { api, sql } = backoffice;
  const created = await api.post('/admins', {
    email: '  Fields@Example.com ',
    password: 'visible secret',
    role: 'user',
    // What a request cannot set.
    id: 'admin_1_aaaaaa',
    is_active: 0,
    created_at: '2001-01-01T00:00:00.000Z',
    password_hash: 'x',
    otp_email: 'elsewhere@example.com',
  });
  const listed = await api.get('/admins?q=fields');
  const { admins: [admin] = [] } = listed.body as OutputOf<'admins.list'>;
  expect(admin).toEqual({
    id: expect.stringMatching(/^admin_\d{13}_[0-9a-z]{6}$/),
    email: 'fields@example.com',
    username: 'fields',
    role: 'user',
    is_active: 1,
    created_at: expect.stringMatching(timestampPattern),
  });
  const [{ password_hash: hash, otp_email } = {}] = await sql('select * from admins where id = $1', [
    admin?.id,
  ]);
  // The address for one-time codes is the email.
  expect(otp_email).toBe('fields@example.com');
  expect(hash).toMatch(/^\$bcrypt/);
  const answers = JSON.stringify([created, listed, await api.get('/settings')]);
  for (const secret of [hash, 'visible secret']) expect(answers).not.toContain(secret);
  expect(answers).not.toMatch(/"\w*(password|hash|otp)\w*":/i);
});

let made = 0;

/** Creates an admin and returns its fields from the answer and the database. */
async function create(fields: object) {
  const email = `created-${++made}@example.com`;
  const answer = await backoffice.api.post('/admins', { email, password, ...fields });
  expect(answer).toEqual({ status: 200, body: { success: true, admin: expect.any(Object) } });
  const { admin } = answer.body as { admin: { id: string } };
  const [row] = await backoffice.sql('select id, email, username, role from admins where id = $1', [
    admin.id,
  ]);
  expect(row).toEqual(admin);
  return admin;
}

/** The row of a role that is stored as another one. */
const storing = (role: unknown, stored: string): [string, object, object] => [
  `the role ${JSON.stringify(role)} is stored as ${stored}`,
  { role },
  { role: stored },
];

test.for<[what: string, given: object, stored: object]>([
  [
    'the email is trimmed and lower-cased',
    { email: ' \tGrace.HOPPER@Example.COM\n' },
    { email: 'grace.hopper@example.com', username: 'grace.hopper' },
  ],
  [
    'a username is trimmed, then cut to 100 characters, and no character in two',
    { username: `  ${'🐛'.repeat(101)}` },
    { username: '🐛'.repeat(100) },
  ],
  [
    'the default is the part before the first @',
    { email: 'first@second@example.com' },
    { username: 'first' },
  ],
  ['the default is an email without an @', { email: 'no-at-sign' }, { username: 'no-at-sign' }],
  ...roles.map((role) => storing(role, role)),
  ...['Superadmin', null, ['superadmin'], undefined].map((role) => storing(role, 'admin')),
])('section 4.9: %s', async ([, given, stored]) => {
  expect(await create(given)).toMatchObject(stored);
});

test('sections 4.9 and 4.10: an admin may create a superadmin, who signs in with its exact password, until that changes', async () => {
  const { service } = backoffice;
  const account = { email: 'in@example.com', password: '  spaces stay  ', role: 'superadmin' };
  const { client } = await service.signIn('admin');
  const signIn = (password: string) => openSession(service.url, account.email, password);
  const { admin } = await client.call('admins.create', account);
  expect(admin.role).toBe('superadmin');
  await expect(signIn(account.password)).resolves.toMatch(/./);
  await expect(signIn('spaces stay')).rejects.toThrow('401');
  await client.call('admins.update', { id: admin.id, password: 'quite another' });
  await expect(signIn('quite another')).resolves.toMatch(/./);
  await expect(signIn(account.password)).rejects.toThrow('401');
});

const emailTaken = errorResponse(409, 'An admin with this email already exists.');
const nobody = 'admin_0_nobody';

/** Inserts an admin who has never signed in. */
async function insertAdmin(role = 'user') {
  const email = `target-${++made}@example.com`;
  const [row] = await backoffice.sql<{ id: string }>(
    "insert into admins (email, username, role, password_hash) values ($1, 'Target', $2, 'old') returning id",
    [email, role],
  );
  return { id: row?.id ?? '', email };
}

async function update(fields: Omit<InputOf<'admins.update'>, 'id'>, by?: SignedIn) {
  const { id, email } = await insertAdmin();
  const { client } = by ?? backoffice.superadmin;
  expect(await client.call('admins.update', { id, ...fields })).toEqual({ success: true });
  const [row] = await backoffice.sql(
    'select email, username, role, is_active, password_hash from admins where id = $1',
    [id],
  );
  return { row, unchanged: { email, username: 'Target', role: 'user', is_active: 1, password_hash: 'old' } };
}

test.for<[what: string, change: Omit<InputOf<'admins.update'>, 'id'>, stored: object]>([
  [
    'all fields are stored as in a new admin',
    { email: ' Moved@Example.COM ', username: ` ${'x'.repeat(120)} `, role: 'admin', password: 'secret 1' },
    {
      email: 'moved@example.com',
      username: 'x'.repeat(100),
      role: 'admin',
      password_hash: expect.stringMatching(/^\$bcrypt/),
    },
  ],
  ['an empty password beside another field is ignored', { password: '', username: 'N' }, { username: 'N' }],
  storing('superadmin', 'superadmin'),
  storing('owner', 'admin'),
])('section 4.10: in a change, %s, and nothing else changes', async ([, change, stored]) => {
  const { row, unchanged } = await update(change);
  expect(row).toEqual({ ...unchanged, ...stored });
});

test('section 4.10: is_active cannot be changed, alone or with another field', async () => {
  const { id } = await insertAdmin();
  // Not with our client, which asks the service to refuse unknown fields.
  const { api, sql } = backoffice;
  expect(await api.put('/admins', { id, username: 'Still active', is_active: 0 })).toEqual(success);
  const rows = await sql('select username, is_active from admins where id = $1', [id]);
  expect(rows).toEqual([{ username: 'Still active', is_active: 1 }]);
  expect(await api.put('/admins', { id, is_active: 0 })).toEqual(errorResponse(400, 'No fields to update.'));
});

test('section 4.10: any session may change another admin, except its role', async () => {
  const { row, unchanged } = await update({ username: 'By a user' }, await backoffice.service.signIn('user'));
  expect(row).toEqual({ ...unchanged, username: 'By a user' });
});

test('section 7: 409 PUT admins: email already used by another admin, also for an unknown id', async () => {
  const { id, email } = await insertAdmin();
  const other = await insertAdmin();
  const { api } = backoffice;
  expect(await api.put('/admins', { id, email: email.toUpperCase() })).toEqual(success);
  expect(await api.put('/admins', { id: nobody, email })).toEqual(emailTaken);
  const change = { id: other.id, email: ` ${email.toUpperCase()} `, username: 'U' };
  expect(await api.put('/admins', change)).toEqual(emailTaken);
  expect(await backoffice.sql('select username from admins where id = $1', [other.id])).toEqual([
    { username: 'Target' },
  ]);
});

describe('section 4.11: deleting an admin', () => {
  const exists = async (id: string) =>
    (await backoffice.sql('select from admins where id = $1', [id])).length === 1;
  const own = errorResponse(403, 'You cannot delete your own account.');

  test('deletes only that with the id of the query, and an admin may delete a superadmin', async () => {
    const gone = await insertAdmin('superadmin');
    const stays = await insertAdmin();
    const admin = await apiOfRole(backoffice, 'admin');
    const missing = errorResponse(400, 'Admin ID is required.');
    expect(await admin.delete('/admins', { id: gone.id })).toEqual(missing);
    expect([await exists(gone.id), await exists(stays.id)]).toEqual([true, true]);
    expect(await admin.delete(`/admins?id=${gone.id}`)).toEqual(success);
    expect([await exists(gone.id), await exists(stays.id)]).toEqual([false, true]);
  });

  test('refuses the own account, which is found by its current email', async () => {
    for (const role of ['superadmin', 'admin'] as const) {
      const someone = await backoffice.service.signIn(role);
      const api = apiAs(backoffice.service.url, someone);
      expect(await api.delete(`/admins?id=${someone.id}`)).toEqual(own);
      await api.put('/admins', { id: someone.id, email: `renamed-${role}@example.com` });
      expect(await api.delete(`/admins?id=${someone.id}`)).toEqual(own);
      expect(await exists(someone.id)).toBe(true);
    }
  });
});
