import { beforeEach, describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { backofficeHere, instanceHere, openSession, password, type SignedIn } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();
const newPassword = 'battery staple';
const second = instanceHere(backoffice);
let admin: SignedIn;

beforeEach(async () => {
  admin = await backoffice.service.signIn('superadmin');
});

const byOthers: readonly [change: string, make: () => Promise<unknown>][] = [
  ['its role', () => backoffice.superadmin.client.call('admins.update', { id: admin.id, role: 'user' })],
  [
    'its password',
    () => backoffice.superadmin.client.call('admins.update', { id: admin.id, password: newPassword }),
  ],
  [
    'its e-mail',
    () => backoffice.superadmin.client.call('admins.update', { id: admin.id, email: `new-${admin.email}` }),
  ],
  ['its existence', () => backoffice.superadmin.client.call('admins.delete', { id: admin.id })],
  ['its activity, in SQL', () => backoffice.sql('update admins set is_active = 0 where id = $1', [admin.id])],
  ['its role, in SQL', () => backoffice.sql(`update admins set role = 'user' where id = $1`, [admin.id])],
  ['its e-mail, in SQL', () => backoffice.sql('update admins set email = id where id = $1', [admin.id])],
  ['its existence, in SQL', () => backoffice.sql('delete from admins where id = $1', [admin.id])],
];

describe('a change of an admin', () => {
  test.for(byOthers)('ends its sessions on every instance at once: %s', async ([, change]) => {
    const { cookie } = admin;
    expect(await statusWith(second, cookie)).toBe(200);
    await change();
    expect(await statusWith(second, cookie)).toBe(401);
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
    expect(await backoffice.sql('select * from sessions where admin_id = $1', [admin.id])).toStrictEqual([]);
  });

  test('ends its sessions in the same transaction, so a change that is rolled back ends none', async () => {
    await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('update admins set is_active = 0 where id = $1', [admin.id]);
      const { rows } = await client.query('select 1 from sessions where admin_id = $1', [admin.id]);
      expect(rows).toStrictEqual([]);
      await client.query('rollback');
    });
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(200);
  });

  test('of only its name ends no session, and is visible to the next request', async () => {
    await backoffice.superadmin.client.call('admins.update', { id: admin.id, username: 'Renamed' });
    const answer = await admin.client.call('session.show');
    expect(answer.admin?.username).toBe('Renamed');
  });

  test('ends no session of another admin', async () => {
    const other = await backoffice.service.signIn('user');
    await backoffice.superadmin.client.call('admins.update', { id: admin.id, password: newPassword });
    expect(await statusWith(backoffice.service, other.cookie)).toBe(200);
  });

  test('of its password refuses a concurrent sign-in with the old one', async () => {
    await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query(`update admins set password_hash = 'another' where id = $1`, [admin.id]);
      const response = signIn(backoffice.service, { email: admin.email, password });
      await untilBlocked(backoffice);
      await client.query('commit');
      const { status, headers } = await response;
      expect(status).toBe(401);
      expect(headers.getSetCookie()).toStrictEqual([]);
    });
    expect(await backoffice.sql('select * from sessions where admin_id = $1', [admin.id])).toStrictEqual([]);
  });
});

describe("an admin's change of its own account", () => {
  test.for([
    ['password', { password: newPassword }],
    ['e-mail', { email: 'myself@example.com' }],
    ['name', { username: 'Myself' }],
  ] as const)(
    'keeps the current session and role, and ends the other sessions: %s',
    async ([what, change]) => {
      const other = await openSession(backoffice.service.url, admin.email);
      await admin.client.call('admins.update', { id: admin.id, ...change });
      expect(await statusWith(second, admin.cookie)).toBe(200);
      expect(await statusWith(second, other)).toBe(what === 'name' ? 200 : 401);
      expect((await admin.client.call('session.show')).admin?.role).toBe('superadmin');
    },
  );

  test('takes effect in its own session at the next request', async () => {
    await admin.client.call('admins.update', { id: admin.id, email: 'live@example.com', role: 'user' });
    const { admin: now } = await admin.client.call('session.show');
    expect(now).toMatchObject({ email: 'live@example.com', role: 'user' });
    await expect(admin.client.call('admins.delete', { id: 'admin_1' })).rejects.toMatchObject({
      status: 403,
    });
  });
});

test('authority is read with each request, even if the session was not ended', async () => {
  const change = async (column: string, value: unknown) => {
    // The replica role fires no triggers, so the session remains.
    await backoffice.sql(`set session_replication_role = replica`);
    await backoffice.sql(`update admins set ${column} = $1 where id = $2`, [value, admin.id]);
    await backoffice.sql(`reset session_replication_role`);
  };
  await change('role', 'user');
  await change('email', 'elsewhere@example.com');
  const { admin: now } = await admin.client.call('session.show');
  expect(now).toMatchObject({ email: 'elsewhere@example.com', role: 'user' });
  await change('is_active', 0);
  expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
});
