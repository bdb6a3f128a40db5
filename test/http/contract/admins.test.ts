import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
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

  const defaults = [1, 10, 13, 10] as const;
  const clampedTo1 = [1, 1, 121, 1] as const;
  const clampedTo100 = [1, 100, 2, 100] as const;

  test.for<[what: string, query: string, page: number, limit: number, totalPages: number, size: number]>([
    ['the defaults', '', ...defaults],
    ...['', ' ', 'abc', 'NaN', 'null', 'undefined', '{}', '[]', 'true', '१', '🐛', 'x'.repeat(5_000)].map(
      (text): [string, string, ...typeof defaults] => [
        `the defaults for ${JSON.stringify(text.slice(0, 10))}`,
        `page=${encodeURIComponent(text)}&limit=${encodeURIComponent(text)}`,
        ...defaults,
      ],
    ),
    ['those that are given', 'page=2&limit=7', 2, 7, 18, 7],
    ['the first of two', 'page=2&page=3&limit=5&limit=7', 2, 5, 25, 5],
    ['numbers that are unusually written', 'page=%2B3&limit=%207%20', 3, 7, 18, 7],
    ['numbers with leading zeros', 'page=02&limit=007', 2, 7, 18, 7],
    ['fractions, truncated', 'page=2.9&limit=7.9', 2, 7, 18, 7],
    ['a fraction below 1 as 1', 'page=0.5&limit=0.5', ...clampedTo1],
    ['a page of 0 as the first', 'page=0', ...defaults],
    ['a page below 0 as the first', 'page=-3', ...defaults],
    ['a page of -2.9 as the first', 'page=-2.9', ...defaults],
    ['the remaining admins on the last page', 'page=13', 13, 10, 13, 1],
    ['nothing on a page beyond the last', 'page=14', 14, 10, 13, 0],
    ['a limit of 1, the minimum', 'limit=1', ...clampedTo1],
    ['a limit of 0 as 1', 'limit=0', ...clampedTo1],
    ['a limit below 0 as 1', 'limit=-10', ...clampedTo1],
    ['a limit far below 0 as 1', 'page=-1e30&limit=-99999999999999999999999', ...clampedTo1],
    ['a limit of 100, the maximum', 'limit=100', ...clampedTo100],
    ['a limit of 101 as 100', 'limit=101', ...clampedTo100],
    ['a huge limit as 100', 'limit=1000000', ...clampedTo100],
    ['a total that the limit divides without another page', 'limit=11', 1, 11, 11, 11],
  ])('section 4.8: page and limit have %s', async ([, query, number, limit, totalPages, size]) => {
    const { admins, pagination } = await page(`?${query}`);
    expect(pagination).toEqual({ page: number, limit, total: 121, totalPages });
    expect(admins).toHaveLength(size);
  });

  test.for(['9007199254740991', '9223372036854775807', '9223372036854775808', '9'.repeat(400)])(
    'a page and a limit that are huge give a page after the last, with a limit of 100: %s',
    async (value) => {
      const { admins, pagination } = await page(`?page=${value}&limit=${value}`);
      expect(admins).toEqual([]);
      expect(pagination).toMatchObject({ limit: 100, total: 121, totalPages: 2 });
      expect(pagination.page).toSatisfy(Number.isSafeInteger);
      expect(pagination.page).toBeGreaterThan(2);
    },
  );

  test('section 4.8: the pages together have every admin once, in order', async () => {
    const pages = await Promise.all(Array.from({ length: 13 }, (_, index) => page(`?page=${index + 1}`)));
    const admins = pages.flatMap((answer) => answer.admins);
    expect(new Set(admins.map(({ id }) => id)).size).toBe(121);
    expect(admins).toEqual(
      admins.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1)),
    );
  });
});

describe('an admin', () => {
  /** Creates an admin and finds it in the list. */
  async function create(email: string) {
    const { client } = backoffice.superadmin;
    const { admin } = await client.call('admins.create', {
      email,
      password: 'hunter2 and more',
      role: 'user',
    });
    const { admins } = await client.call('admins.list', { limit: 100 });
    return admins.find(({ id }) => id === admin.id);
  }

  test('section 2: an admin has exactly the six fields of the contract, with their types', async () => {
    const before = Date.now();
    const admin = await create('  Fields@Example.com ');
    expect(admin).toEqual({
      id: expect.stringMatching(/^admin_\d+_[0-9a-z]{6}$/),
      email: 'fields@example.com',
      username: 'fields',
      role: 'user',
      is_active: 1,
      created_at: expect.stringMatching(timestampPattern),
    });
    // The id has the creation time in milliseconds.
    const milliseconds = Number(admin?.id.split('_')[1]);
    expect(milliseconds).toBeGreaterThanOrEqual(before);
    expect(milliseconds).toBeLessThanOrEqual(Date.now());
    // The address for one-time codes is the email.
    expect(await backoffice.sql('select otp_email from admins where id = $1', [admin?.id])).toEqual([
      { otp_email: 'fields@example.com' },
    ]);
  });

  test('section 2: the password is stored as a hash and never returned', async () => {
    const { api } = backoffice;
    const created = await api.post('/admins', { email: 'hash@example.com', password: 'visible secret' });
    const [{ password_hash: hash } = {}] = await backoffice.sql(
      "select password_hash from admins where email = 'hash@example.com'",
    );
    expect(hash).toMatch(/^\$bcrypt/);
    expect(hash).not.toContain('visible secret');
    const answers = [created, await api.get('/admins?limit=100'), await api.get('/settings')];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain(hash);
      expect(JSON.stringify(answer)).not.toContain('visible secret');
      expect(JSON.stringify(answer)).not.toMatch(/"\w*(password|hash|otp)\w*":/i);
    }
  });

  test('section 2: the request cannot set fields that the service sets', async () => {
    await backoffice.api.post('/admins', {
      id: 'admin_1_aaaaaa',
      email: 'own@example.com',
      password: 'hunter2 and more',
      is_active: 0,
      created_at: '2001-01-01T00:00:00.000Z',
      password_hash: 'x',
      otp_email: 'elsewhere@example.com',
    });
    const [row] = await backoffice.sql("select * from admins where email = 'own@example.com'");
    expect(row).toMatchObject({ is_active: 1, otp_email: 'own@example.com' });
    expect(row?.id).not.toBe('admin_1_aaaaaa');
    expect(row?.password_hash).not.toBe('x');
    expect(row?.created_at.getFullYear()).toBeGreaterThan(2001);
  });
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

const longEmail = `${'n'.repeat(120)}@example.com`;

test.for<[what: string, given: object, stored: object]>([
  [
    'the email is trimmed and lower-cased',
    { email: ' \tGrace.HOPPER@Example.COM\n' },
    { email: 'grace.hopper@example.com', username: 'grace.hopper' },
  ],
  [
    'letters beyond ASCII are lower-cased too',
    { email: 'ÄRGER@ÖST.EXAMPLE' },
    { email: 'ärger@öst.example' },
  ],
  ['the username is trimmed', { username: '  Grace \n' }, { username: 'Grace' }],
  ['100 characters of it are kept', { username: 'x'.repeat(100) }, { username: 'x'.repeat(100) }],
  ['more are cut', { username: 'y'.repeat(101) }, { username: 'y'.repeat(100) }],
  ['it is trimmed before it is cut', { username: `  ${'z'.repeat(100)}  ` }, { username: 'z'.repeat(100) }],
  ['it is cut between characters', { username: '🐛'.repeat(101) }, { username: '🐛'.repeat(100) }],
  ['the default is the part before the @', { email: 'ada@example.com' }, { username: 'ada' }],
  [
    'the default is the part before the first @',
    { email: 'first@second@example.com' },
    { username: 'first' },
  ],
  ['the default is an email without an @', { email: 'no-at-sign' }, { username: 'no-at-sign' }],
  ['a default of a long email is cut too', { email: longEmail }, { username: 'n'.repeat(100) }],
  ...roles.map((role) => storing(role, role)),
  ...['Superadmin', 'owner', '', null, 7, ['superadmin'], undefined].map((role) => storing(role, 'admin')),
])('section 4.9: %s', async ([, given, stored]) => {
  expect(await create(given)).toMatchObject(stored);
});

test('section 4.9: an admin may create a superadmin', async () => {
  const account = { email: 'mighty@example.com', password, role: 'superadmin' };
  const { client } = await backoffice.service.signIn('admin');
  expect((await client.call('admins.create', account)).admin.role).toBe('superadmin');
});

test('section 4.9: the new account is active and can sign in with its password', async () => {
  await create({ email: 'in@example.com', password: '  spaces stay  ' });
  const { service } = backoffice;
  await expect(openSession(service.url, 'in@example.com', '  spaces stay  ')).resolves.toMatch(/./);
  await expect(openSession(service.url, 'in@example.com', 'spaces stay')).rejects.toThrow('401');
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
  ['the email is trimmed and lower-cased', { email: ' Moved@Example.COM ' }, { email: 'moved@example.com' }],
  [
    'the username is trimmed and cut to 100 characters',
    { username: ` ${'x'.repeat(120)} ` },
    { username: 'x'.repeat(100) },
  ],
  [
    'a password is stored as a hash',
    { password: 'a new password' },
    { password_hash: expect.stringMatching(/^\$bcrypt/) },
  ],
  ['an empty password beside another field is ignored', { password: '', username: 'N' }, { username: 'N' }],
  [
    'all fields are stored together',
    { email: 'all@example.com', username: 'All', role: 'admin', password: 'secret 1' },
    {
      ...{ email: 'all@example.com', username: 'All', role: 'admin' },
      password_hash: expect.not.stringMatching(/^old$/),
    },
  ],
  ...roles.map((role) => storing(role, role)),
  ...['owner', '', null].map((role) => storing(role, 'admin')),
])('section 4.10: in a change, %s, and nothing else changes', async ([, change, stored]) => {
  const { row, unchanged } = await update(change);
  expect(row).toEqual({ ...unchanged, ...stored });
});

test('section 4.10: is_active cannot be changed, alone or with another field', async () => {
  const { id } = await insertAdmin();
  // Not with our client, which asks the service to refuse unknown fields.
  expect(await backoffice.api.put('/admins', { id, username: 'Still active', is_active: 0 })).toEqual(
    success,
  );
  const [row] = await backoffice.sql('select username, is_active from admins where id = $1', [id]);
  expect(row).toEqual({ username: 'Still active', is_active: 1 });
  expect(await backoffice.api.put('/admins', { id, is_active: 0 })).toEqual(
    errorResponse(400, 'No fields to update.'),
  );
});

test('section 4.10: any session may change another admin, except its role', async () => {
  for (const role of ['user', 'admin'] as const) {
    const { row, unchanged } = await update(
      { username: `By ${role}` },
      await backoffice.service.signIn(role),
    );
    expect(row).toEqual({ ...unchanged, username: `By ${role}` });
  }
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

test('section 4.10: an unknown id computes no hash, which would delay sign-ins', async () => {
  const { api, service } = backoffice;
  const { email } = await insertAdmin();
  onTestFinished(() => void vi.restoreAllMocks());
  const hash = vi.spyOn(service.services.passwords, 'hash');
  const change = { id: nobody, password: 'a new password' };
  expect(await api.put('/admins', change)).toEqual(success);
  expect(await api.put('/admins', { ...change, email })).toEqual(emailTaken);
  expect(hash).not.toHaveBeenCalled();
});

test('section 4.10: an admin that is deleted while its password is hashed counts as unknown', async () => {
  const { api, service, sql } = backoffice;
  const { email } = await insertAdmin();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(service.services.passwords, 'hash').mockImplementation(async (id) => {
    await sql('delete from admins where id = $1', [id]);
    return 'a hash';
  });
  const one = await insertAdmin();
  expect(await api.put('/admins', { id: one.id, password: one.id })).toEqual(success);
  const another = await insertAdmin();
  expect(await api.put('/admins', { id: another.id, password: another.id, email })).toEqual(emailTaken);
});

test('section 4.10: only the new password signs in', async () => {
  const { service, api } = backoffice;
  const someone = await service.signIn('user');
  expect(await api.put('/admins', { id: someone.id, password: 'quite another' })).toEqual(success);
  await expect(openSession(service.url, someone.email, 'quite another')).resolves.toMatch(/./);
  await expect(openSession(service.url, someone.email, password)).rejects.toThrow('401');
});

describe('section 4.11: deleting an admin', () => {
  const exists = async (id: string) =>
    (await backoffice.sql('select from admins where id = $1', [id])).length === 1;
  const own = errorResponse(403, 'You cannot delete your own account.');

  test('deletes only that with the id, and an admin may delete a superadmin', async () => {
    const gone = await insertAdmin('superadmin');
    const stays = await insertAdmin();
    const admin = await apiOfRole(backoffice, 'admin');
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

  test('takes the id from the query, not from a body', async () => {
    const { id } = await insertAdmin();
    expect(await backoffice.api.delete('/admins', { id })).toEqual(
      errorResponse(400, 'Admin ID is required.'),
    );
    expect(await exists(id)).toBe(true);
  });
});
