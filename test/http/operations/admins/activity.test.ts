import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../../support/here/accounts.ts';
import { apiAs, errorResponse, success } from '../../../support/here/requests.ts';
import {
  backofficeHere,
  openSession,
  password,
  type SignedIn,
  startTestService,
  type TestService,
} from '../../../support/here.ts';

const backoffice = backofficeHere();
let second: TestService;
let target: SignedIn;

beforeAll(async () => {
  second = await startTestService({ DATABASE_URL: backoffice.service.databaseUrl });
});

afterAll(() => second?.stop());

beforeEach(async () => {
  target = await backoffice.service.signIn('admin');
});

async function activityOf(id: string): Promise<unknown> {
  const [row] = await backoffice.sql('select is_active from admins where id = $1', [id]);
  return row?.is_active;
}

const change = (id: unknown, is_active: unknown, by = backoffice.api) =>
  by.put('/admins/activity', { id, is_active });

describe('deactivating an admin', () => {
  test('ends every session immediately, on every instance', async () => {
    const other = await openSession(second.url, target.email);
    expect(await change(target.id, 0)).toEqual(success);
    for (const cookie of [target.cookie, other]) {
      expect(await statusWith(backoffice.service, cookie)).toBe(401);
      expect(await statusWith(second, cookie)).toBe(401);
    }
    expect(await statusWith(backoffice.service, backoffice.superadmin.cookie)).toBe(200);
  });

  test('prevents sign-in, with the same error as a wrong password', async () => {
    await change(target.id, 0);
    const response = await signIn(backoffice.service, { email: target.email, password });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Invalid email or password.' });
  });

  test('lists the admin as inactive and changes nothing else', async () => {
    const listed = async () => {
      const { admins } = await backoffice.superadmin.client.call('admins.list', { limit: 100 });
      return admins.find(({ id }) => id === target.id);
    };
    const before = await listed();
    await change(target.id, 0);
    expect(await listed()).toEqual({ ...before, is_active: 0 });
  });

  test('can be undone; the old sessions stay ended', async () => {
    await change(target.id, 0);
    expect(await change(target.id, 1)).toEqual(success);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(401);
    const cookie = await openSession(backoffice.service.url, target.email);
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
  });
});

describe('the activity of an admin', () => {
  test('activating an active admin ends no session', async () => {
    expect(await change(target.id, 1)).toEqual(success);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(200);
  });

  test('cannot be ended by the admin itself', async () => {
    const { service, superadmin } = backoffice;
    for (const { id, cookie } of [superadmin, target]) {
      const self = apiAs(service.url, { cookie });
      expect(await change(id, 0, self)).toEqual(
        errorResponse(403, 'You cannot deactivate your own account.'),
      );
      expect(await change(id, 1, self)).toEqual(success);
      expect(await statusWith(service, cookie)).toBe(200);
    }
  });

  test('succeeds for an unknown id', async () => {
    expect(await change('admin_0_nobody', 0)).toEqual(success);
  });

  test('can be changed by an admin, even for a superadmin, but not by a user', async () => {
    const superadmin = await backoffice.service.signIn('superadmin');
    const user = await backoffice.service.signIn('user');
    const { url } = backoffice.service;
    expect(await change(superadmin.id, 0, apiAs(url, user))).toEqual(
      errorResponse(403, 'Insufficient permissions.'),
    );
    expect(await activityOf(superadmin.id)).toBe(1);
    expect(await change(superadmin.id, 0, apiAs(url, target))).toEqual(success);
    expect(await activityOf(superadmin.id)).toBe(0);
  });
});
