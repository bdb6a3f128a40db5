import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiAs, errorResponse, success } from '../../../support/here/requests.ts';
import { type SignedIn, startTestService, type TestService } from '../../../support/here.ts';
import { withClient } from '../../../support/postgres/server.ts';

let service: TestService;
let superadmin: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  service = await startTestService({ BACKOFFICE_STRICT_ROLES: '1' });
  superadmin = await service.signIn('superadmin');
  admin = await service.signIn('admin');
});

afterAll(() => service?.stop());

const change = (by: SignedIn, { id }: SignedIn, is_active: 0 | 1) =>
  apiAs(service.url, by).put('/admins/activity', { id, is_active });

async function activeSuperadmins(): Promise<string[]> {
  return await withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query(`select id from admins where role = 'superadmin' and is_active = 1`);
    return rows.map(({ id }) => id);
  });
}

test('strict mode: an admin cannot change the activity of an admin of a higher role', async () => {
  const above = errorResponse(403, 'You cannot change an admin whose role is above yours.');
  expect(await change(admin, superadmin, 0)).toEqual(above);
  expect(await change(admin, superadmin, 1)).toEqual(above);
  expect(await activeSuperadmins()).toEqual([superadmin.id]);
});

test('strict mode: only a superadmin changes the activity of another admin', async () => {
  const others = errorResponse(
    403,
    'Only superadmin can delete another admin, or change its e-mail, password, role or activity.',
  );
  for (const role of ['admin', 'user'] as const) {
    const target = await service.signIn(role);
    expect(await change(admin, target, 0)).toEqual(others);
    expect(await change(admin, target, 1)).toEqual(others);
    expect(await change(superadmin, target, 0)).toEqual(success);
  }
  const other = await service.signIn('superadmin');
  expect(await change(superadmin, other, 0)).toEqual(success);
  expect(await change(superadmin, other, 1)).toEqual(success);
  expect(await change(superadmin, other, 0)).toEqual(success);
});

test('strict mode: the last active superadmin cannot be deactivated, not even by an API token', async () => {
  const { secret } = await service.createToken('superadmin');
  const response = await service.fetch('/api/admin/admins/activity', {
    method: 'PUT',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ id: superadmin.id, is_active: 0 }),
  });
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    error: 'The last active superadmin cannot be removed, deactivated or demoted.',
  });
  expect(await activeSuperadmins()).toEqual([superadmin.id]);
});

test('strict mode: when two superadmins deactivate each other at the same time, one stays active', async () => {
  const other = await service.signIn('superadmin');
  const answers = await Promise.all([change(superadmin, other, 0), change(other, superadmin, 0)]);
  expect(await activeSuperadmins()).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});
