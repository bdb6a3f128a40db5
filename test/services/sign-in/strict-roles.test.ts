import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';

const refusal = (message: string) => ({ status: 403, message });
const higherRole = refusal('You cannot change an admin whose role is above yours.');
const onlySuperadmin = refusal('Only superadmin can create a superadmin.');
const lastSuperadmin = refusal('The last active superadmin cannot be removed, deactivated or demoted.');

/** Starts a service with one admin of each role. */
function startTeam(env: Record<string, string>) {
  const team = {} as { service: TestService; superadmin: SignedIn; admin: SignedIn; user: SignedIn };
  beforeAll(async () => {
    team.service = await startTestService(env);
    team.superadmin = await team.service.signIn('superadmin');
    team.admin = await team.service.signIn('admin');
    team.user = await team.service.signIn('user');
  });
  afterAll(() => team.service?.stop());
  return team;
}

const newAdmin = (role: string) => ({ email: `${crypto.randomUUID()}@example.com`, password, role });

describe('with BACKOFFICE_STRICT_ROLES=1', () => {
  const team = startTeam({ BACKOFFICE_STRICT_ROLES: '1' });

  test('nobody ends a session of an admin of a higher role', async () => {
    const { superadmin, admin } = team;
    const { sessions } = await superadmin.client.call('sessions.list');
    const idOf = (of: SignedIn) => sessions.find(({ admin_id }) => admin_id === of.id)?.id;
    await expect(admin.client.call('sessions.revoke', { id: idOf(superadmin) })).rejects.toMatchObject(
      higherRole,
    );
    await expect(admin.client.call('sessions.revoke', { admin_id: superadmin.id })).rejects.toMatchObject(
      higherRole,
    );
    await superadmin.client.call('session.show');
    const other = await team.service.signIn('user');
    await admin.client.call('sessions.revoke', { admin_id: other.id });
    await expect(other.client.call('session.show')).rejects.toMatchObject({ status: 401 });
    await superadmin.client.call('admins.delete', { id: other.id });
  });

  test('nobody changes an admin of a higher role', async () => {
    const { superadmin, admin, user } = team;
    const rename = { username: 'Renamed' };
    await expect(admin.client.call('admins.update', { id: superadmin.id, ...rename })).rejects.toMatchObject(
      higherRole,
    );
    await expect(user.client.call('admins.update', { id: admin.id, ...rename })).rejects.toMatchObject(
      higherRole,
    );
    await expect(user.client.call('admins.update', { id: superadmin.id, password })).rejects.toMatchObject(
      higherRole,
    );
    await expect(admin.client.call('admins.delete', { id: superadmin.id })).rejects.toMatchObject(higherRole);
    const { admins } = await superadmin.client.call('admins.list');
    expect(admins.map(({ username }) => username)).not.toContain('Renamed');
  });

  test('everyone changes their own account, and admins of the same or a lower role', async () => {
    const { superadmin, admin, user } = team;
    await superadmin.client.call('admins.update', { id: admin.id, username: 'A' });
    await admin.client.call('admins.update', { id: admin.id, username: 'B' });
    await admin.client.call('admins.update', { id: user.id, username: 'C' });
    await user.client.call('admins.update', { id: user.id, username: 'D' });
    const { admins } = await superadmin.client.call('admins.list');
    expect(admins.map(({ username }) => username)).toStrictEqual([expect.any(String), 'B', 'D']);
  });

  test('an admin creates admins and users, a superadmin any role', async () => {
    const { superadmin, admin } = team;
    await expect(admin.client.call('admins.create', newAdmin('superadmin'))).rejects.toMatchObject(
      onlySuperadmin,
    );
    for (const role of ['admin', 'user']) await admin.client.call('admins.create', newAdmin(role));
    const created = await superadmin.client.call('admins.create', newAdmin('superadmin'));
    expect(created.admin.role).toBe('superadmin');
    await superadmin.client.call('admins.delete', { id: created.admin.id });
  });

  test('the last active superadmin cannot give up its role, but can change everything else', async () => {
    const { superadmin } = team;
    const demotion = superadmin.client.call('admins.update', { id: superadmin.id, role: 'admin' });
    await expect(demotion).rejects.toMatchObject(lastSuperadmin);
    const same = { id: superadmin.id, role: 'superadmin', username: 'First' };
    expect(await superadmin.client.call('admins.update', same)).toStrictEqual({ success: true });
  });

  test('an inactive superadmin does not count as remaining', async () => {
    const { superadmin, service } = team;
    const { admin: other } = await superadmin.client.call('admins.create', newAdmin('superadmin'));
    await withClient(service.databaseUrl, (client) =>
      client.query('update admins set is_active = 0 where id = $1', [other.id]),
    );
    const demotion = superadmin.client.call('admins.update', { id: superadmin.id, role: 'user' });
    await expect(demotion).rejects.toMatchObject(lastSuperadmin);
  });

  test('one of two superadmins who demote each other at the same time remains', async () => {
    const [first, second] = [team.superadmin, await team.service.signIn('superadmin')];
    const outcomes = await Promise.allSettled([
      first.client.call('admins.update', { id: second.id, role: 'user' }),
      second.client.call('admins.update', { id: first.id, role: 'user' }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('an unknown id still succeeds', async () => {
    const { admin } = team;
    expect(await admin.client.call('admins.delete', { id: 'admin_1' })).toStrictEqual({ success: true });
    const change = { id: 'admin_1', username: 'Nobody' };
    expect(await admin.client.call('admins.update', change)).toStrictEqual({ success: true });
  });
});

describe('without strict roles', () => {
  const team = startTeam({});

  test('any session changes any admin, an admin creates superadmins, and the last superadmin may go', async () => {
    const { superadmin, admin, user } = team;
    await user.client.call('admins.update', { id: superadmin.id, username: 'Renamed' });
    const created = await admin.client.call('admins.create', newAdmin('superadmin'));
    expect(created.admin.role).toBe('superadmin');
    await admin.client.call('admins.delete', { id: created.admin.id });
    await superadmin.client.call('admins.update', { id: superadmin.id, role: 'user' });
    const { admins } = await user.client.call('admins.list');
    expect(admins.map(({ role }) => role)).toStrictEqual(['user', 'admin', 'user']);
    expect(admins[0]?.username).toBe('Renamed');
  });
});
