import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere, openSession, password } from '../../support/here.ts';

const backoffice = backofficeHere();

describe('the list of admins', () => {
  /** Inserts 120 admins. With the superadmin, who is the newest, there are thirteen pages of ten. */
  beforeAll(async () => {
    await backoffice.sql(`
    insert into admins (id, email, username, created_at)
    select 'admin_1_' || lpad(n::text, 6, '0'), n || '@example.com', 'Admin ' || n, timestamptz '2026-01-01' - make_interval(days => n)
    from generate_series(1, 117) as n
  `);
    // Three with the same time, not inserted in the order of their ids.
    for (const id of ['admin_2_b', 'admin_2_c', 'admin_2_a']) {
      await backoffice.sql(
        "insert into admins (id, email, username, created_at) values ($1, $1, 'Tie', '2026-02-01T00:00:00Z')",
        [id],
      );
    }
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
    ['a limit of -1e9 as 1', 'limit=-1e9', ...clampedTo1],
    [
      'a limit far below 0 as 1',
      'page=-99999999999999999999999&limit=-99999999999999999999999',
      ...clampedTo1,
    ],
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

  test('section 4.8: admins are ordered by created_at ascending, ties by id ascending', async () => {
    const { admins: first } = await page('?limit=3');
    expect(first.map(({ id }) => id)).toEqual(['admin_1_000117', 'admin_1_000116', 'admin_1_000115']);
    const { admins: last } = await page('?page=2&limit=100');
    expect(last.slice(-4).map(({ id }) => id)).toEqual([
      'admin_2_a',
      'admin_2_b',
      'admin_2_c',
      backoffice.superadmin.id,
    ]);
  });

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
    expect(await create('fields@example.com')).toEqual({
      id: expect.any(String),
      email: 'fields@example.com',
      username: 'fields',
      role: 'user',
      is_active: 1,
      created_at: expect.stringMatching(timestampPattern),
    });
  });

  test('section 2: the id is admin_, the creation time in milliseconds and 6 base-36 characters', async () => {
    const before = Date.now();
    const admin = await create('id@example.com');
    const [, milliseconds] = /^admin_(\d+)_[0-9a-z]{6}$/.exec(admin?.id ?? '') ?? [];
    expect(Number(milliseconds)).toBeGreaterThanOrEqual(before);
    expect(Number(milliseconds)).toBeLessThanOrEqual(Date.now());
  });

  test('section 2: the address for one-time codes is stored and equals the email', async () => {
    await create('  OTP@Example.com ');
    expect(await backoffice.sql("select otp_email from admins where email = 'otp@example.com'")).toEqual([
      { otp_email: 'otp@example.com' },
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

  test('section 4.9: creating an admin returns id, email, username and role', async () => {
    const account = { email: 'answer@example.com', password: 'hunter2 and more' };
    expect(await backoffice.api.post('/admins', account)).toEqual({
      status: 200,
      body: {
        success: true,
        admin: {
          id: expect.stringMatching(/^admin_/),
          email: 'answer@example.com',
          username: 'answer',
          role: 'admin',
        },
      },
    });
  });

  test('section 2: two admins with the same password have different hashes', async () => {
    await create('twin-1@example.com');
    await create('twin-2@example.com');
    expect(
      await backoffice.sql("select distinct password_hash from admins where email like 'twin-%'"),
    ).toHaveLength(2);
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
  const { status, body } = await backoffice.api.post('/admins', { email, password, ...fields });
  expect(status).toBe(200);
  const { admin } = body as { admin: { id: string } };
  const [row] = await backoffice.sql('select id, email, username, role from admins where id = $1', [
    admin.id,
  ]);
  expect(row).toEqual(admin);
  return admin;
}

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
  ...['superadmin', 'user', 'admin'].map((role): [string, object, object] => [
    `the role ${role} is stored`,
    { role },
    { role },
  ]),
  ...['Superadmin', 'owner', '', null, 7, ['superadmin'], undefined].map((role): [string, object, object] => [
    `the role ${JSON.stringify(role)} is stored as admin`,
    { role },
    { role: 'admin' },
  ]),
])('section 4.9: %s', async ([, given, stored]) => {
  expect(await create(given)).toMatchObject(stored);
});

test('section 4.9: an admin may create a superadmin', async () => {
  const admin = await backoffice.service.signIn('admin');
  const { admin: created } = await admin.client.call('admins.create', {
    email: 'mighty@example.com',
    password,
    role: 'superadmin',
  });
  expect(created.role).toBe('superadmin');
});

test('section 4.9: the new account is active and can sign in with its password', async () => {
  await create({ email: 'in@example.com', password: '  spaces stay  ' });
  const { service } = backoffice;
  await expect(openSession(service.url, 'in@example.com', '  spaces stay  ')).resolves.toMatch(/./);
  await expect(openSession(service.url, 'in@example.com', 'spaces stay')).rejects.toThrow('401');
});

test('section 8: minimum password length: 6 characters, for POST and PUT admins', async () => {
  const { id } = await backoffice.service.signIn('user');
  for (const least of ['123456', '🐛🐛🐛🐛🐛🐛', '      '])
    expect(await backoffice.api.put('/admins', { id, password: least })).toEqual(success);
  await create({ password: '123456' });
});

const account = { email: 'new@example.com', password: 'long enough' };
const emailTaken = errorResponse(409, 'An admin with this email already exists.');

test('section 7: 409 POST admins: email already used -> An admin with this email already exists.', async () => {
  const { email } = backoffice.superadmin;
  expect(await backoffice.api.post('/admins', { ...account, email })).toEqual(emailTaken);
  expect(await backoffice.api.post('/admins', { ...account, email: ` ${email.toUpperCase()} ` })).toEqual(
    emailTaken,
  );
});

test('section 7: 409 PUT admins: email already used by another admin -> An admin with this email already exists.', async () => {
  const { id } = await backoffice.service.signIn('user');
  const { email } = backoffice.superadmin;
  expect(await backoffice.api.put('/admins', { id, email })).toEqual(emailTaken);
  expect(
    await backoffice.api.put('/admins', { id, email: ` ${email.toUpperCase()} `, username: 'U' }),
  ).toEqual(emailTaken);
  // The request changed nothing.
  expect(await backoffice.sql('select username from admins where id = $1', [id])).not.toEqual([
    { username: 'U' },
  ]);
});
