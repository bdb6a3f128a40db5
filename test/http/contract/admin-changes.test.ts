import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { apiAs, errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere, openSession, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

const emailTaken = errorResponse(409, 'An admin with this email already exists.');

let made = 0;

/** Inserts an admin who has never signed in. */
async function insertAdmin() {
  const email = `target-${++made}@example.com`;
  const [row] = await backoffice.sql<{ id: string }>(
    "insert into admins (email, username, role, password_hash) values ($1, 'Target', 'user', 'old') returning id",
    [email],
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
  ['the email trims and lower-cases it', { email: ' Moved@Example.COM ' }, { email: 'moved@example.com' }],
  [
    'the username trims it and cuts it to 100 characters',
    { username: ` ${'x'.repeat(120)} ` },
    { username: 'x'.repeat(100) },
  ],
  [
    'the password stores a hash',
    { password: 'a new password' },
    { password_hash: expect.stringMatching(/^\$bcrypt/) },
  ],
  [
    'another field with an empty password ignores that',
    { password: '', username: 'New' },
    { username: 'New' },
  ],
  ...['superadmin', 'user', 'admin'].map((role): [string, object, object] => [
    `the role to ${role} stores it`,
    { role },
    { role },
  ]),
  ...['owner', '', null].map((role): [string, object, object] => [
    `the role to ${JSON.stringify(role)} stores admin`,
    { role },
    { role: 'admin' },
  ]),
])('section 4.10: changing %s, and changes nothing else', async ([, change, stored]) => {
  const { row, unchanged } = await update(change);
  expect(row).toEqual({ ...unchanged, ...stored });
});

test('section 4.10: one request can change all fields', async () => {
  const { row } = await update({
    email: 'all@example.com',
    username: 'All',
    role: 'admin',
    password: 'secret 1',
  });
  expect(row).toMatchObject({ email: 'all@example.com', username: 'All', role: 'admin' });
  expect(row?.password_hash).not.toBe('old');
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

test('section 4.10: an admin may keep its own email', async () => {
  const { id, email } = await insertAdmin();
  expect(await backoffice.api.put('/admins', { id, email: email.toUpperCase() })).toEqual(success);
});

test('section 4.10: an unknown id with the email of an admin is 409', async () => {
  const { email } = await insertAdmin();
  expect(await backoffice.api.put('/admins', { id: 'admin_0_nobody', email })).toEqual(emailTaken);
});

test('section 4.10: an unknown id computes no hash, which would delay sign-ins', async () => {
  const { api, service } = backoffice;
  const { email } = await insertAdmin();
  onTestFinished(() => void vi.restoreAllMocks());
  const hash = vi.spyOn(service.services.passwords, 'hash');
  const change = { id: 'admin_0_nobody', password: 'a new password' };
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

describe('deleting an admin', () => {
  const exists = async (id: string) =>
    (await backoffice.sql('select from admins where id = $1', [id])).length === 1;

  async function insertAdmin(email: string, role = 'user'): Promise<string> {
    const [row] = await backoffice.sql<{ id: string }>(
      "insert into admins (email, username, role) values ($1, 'Target', $2) returning id",
      [email, role],
    );
    return row?.id ?? '';
  }

  test('section 4.11: only the admin with that id is deleted', async () => {
    const gone = await insertAdmin('gone@example.com');
    const stays = await insertAdmin('stays@example.com');
    expect(await backoffice.api.delete(`/admins?id=${gone}`)).toEqual(success);
    expect([await exists(gone), await exists(stays)]).toEqual([false, true]);
  });

  test('section 4.11: an admin may delete an admin and a superadmin', async () => {
    const admin = apiAs(backoffice.service.url, await backoffice.service.signIn('admin'));
    const id = await insertAdmin('mighty@example.com', 'superadmin');
    expect(await admin.delete(`/admins?id=${id}`)).toEqual(success);
    expect(await exists(id)).toBe(false);
  });

  test('section 4.11: callers cannot delete their own account', async () => {
    for (const role of ['superadmin', 'admin'] as const) {
      const someone = await backoffice.service.signIn(role);
      const answer = await apiAs(backoffice.service.url, someone).delete(`/admins?id=${someone.id}`);
      expect(answer).toEqual(errorResponse(403, 'You cannot delete your own account.'));
      expect(await exists(someone.id)).toBe(true);
    }
  });

  test('section 4.11: the own account is found by its current email', async () => {
    const someone = await backoffice.service.signIn('admin');
    const own = apiAs(backoffice.service.url, someone);
    await own.put('/admins', { id: someone.id, email: 'renamed@example.com' });
    expect(await own.delete(`/admins?id=${someone.id}`)).toEqual(
      errorResponse(403, 'You cannot delete your own account.'),
    );
  });

  test('section 4.11: the id comes from the query, not from a body', async () => {
    const id = await insertAdmin('in-body@example.com');
    const response = await backoffice.service.fetch('/api/admin/admins', {
      method: 'DELETE',
      headers: { cookie: backoffice.superadmin.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'Admin ID is required.' });
    expect(await exists(id)).toBe(true);
  });
});
