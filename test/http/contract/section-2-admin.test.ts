import { expect, test } from 'vitest';
import { timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Creates an admin and finds it in the list. */
async function create(email: string) {
  const { client } = backoffice.superadmin;
  const { admin } = await client.call('admins.create', { email, password: 'hunter2 and more', role: 'user' });
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
