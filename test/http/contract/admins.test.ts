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
    return body as { admins: { id: string; created_at: string }[]; pagination: object };
  }

  describe('section 4.8: page and limit', () => {
    test.for([
      ['are 1 and 10 by default', '', 1, 10, 13, 10],
      ['are 1 and 10 when empty', '?page=&limit=', 1, 10, 13, 10],
      ['are used as given', '?page=2&limit=7', 2, 7, 18, 7],
      ['a page of 0 is the first', '?page=0', 1, 10, 13, 10],
      ['a page below 0 is the first', '?page=-3', 1, 10, 13, 10],
      ['the last page has the remaining admins', '?page=13', 13, 10, 13, 1],
      ['a page beyond the last is empty', '?page=14', 14, 10, 13, 0],
      ['a limit of 1 is the minimum', '?limit=1', 1, 1, 121, 1],
      ['a limit of 0 is clamped to 1', '?limit=0', 1, 1, 121, 1],
      ['a limit below 0 is clamped to 1', '?limit=-10', 1, 1, 121, 1],
      ['a limit of 100 is the maximum', '?limit=100', 1, 100, 2, 100],
      ['a limit of 101 is clamped to 100', '?limit=101', 1, 100, 2, 100],
      ['a huge limit is clamped to 100', '?limit=1000000', 1, 100, 2, 100],
      ['total divided by limit without a remainder is not rounded up', '?limit=11', 1, 11, 11, 11],
    ] as const)('%s', async ([, query, number, limit, totalPages, size]) => {
      const { admins, pagination } = await page(query);
      expect(pagination).toEqual({ page: number, limit, total: 121, totalPages });
      expect(admins).toHaveLength(size);
    });
  });

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
async function create(fields: Record<string, unknown>) {
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

test('section 4.9: the email is trimmed and lower-cased', async () => {
  expect(await create({ email: ' \tGrace.HOPPER@Example.COM\n' })).toMatchObject({
    email: 'grace.hopper@example.com',
    username: 'grace.hopper',
  });
});

test('section 4.9: an email with letters beyond ASCII is lower-cased too', async () => {
  expect(await create({ email: 'ÄRGER@ÖST.EXAMPLE' })).toMatchObject({ email: 'ärger@öst.example' });
});

test.for([
  ['trimmed', '  Grace \n', 'Grace'],
  ['kept at 100 characters', 'x'.repeat(100), 'x'.repeat(100)],
  ['cut to 100 characters', 'y'.repeat(101), 'y'.repeat(100)],
  ['trimmed before it is cut', `  ${'z'.repeat(100)}  `, 'z'.repeat(100)],
  ['cut between characters, not inside one', '🐛'.repeat(101), '🐛'.repeat(100)],
] as const)('section 4.9: the username is %s', async ([, username, stored]) => {
  expect(await create({ username })).toMatchObject({ username: stored });
});

test.for([
  ['ada@example.com', 'ada'],
  ['first@second@example.com', 'first'],
  ['no-at-sign', 'no-at-sign'],
] as const)(
  'section 4.9: the default username is the part of %s before the first @',
  async ([email, username]) => {
    expect(await create({ email })).toMatchObject({ username });
  },
);

test.for([
  ['superadmin', 'superadmin'],
  ['user', 'user'],
  ['admin', 'admin'],
  ['Superadmin', 'admin'],
  ['owner', 'admin'],
  ['', 'admin'],
  [null, 'admin'],
  [7, 'admin'],
  [['superadmin'], 'admin'],
  [undefined, 'admin'],
] as const)('section 4.9: the role %j is stored as %s', async ([role, given]) => {
  expect(await create({ role })).toMatchObject({ role: given });
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

test('section 8: a default username from a long email is cut too', async () => {
  const email = `${'n'.repeat(120)}@example.com`;
  const { body } = await backoffice.api.post('/admins', { email, password: '123456' });
  expect(body).toMatchObject({ admin: { email, username: 'n'.repeat(100) } });
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
