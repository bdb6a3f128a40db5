import { expect, test } from 'vitest';
import { backofficeHere, openSession, password } from '../../support/here.ts';

const backoffice = backofficeHere();

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
