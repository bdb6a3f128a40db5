import { beforeEach, describe, expect, test } from 'vitest';
import { statusWith } from '../../../support/here/accounts.ts';
import { atOnce, errorResponse, success } from '../../../support/here/requests.ts';
import { auditRecordsOf } from '../../../support/here/rows.ts';
import { backofficeHere, type SignedIn } from '../../../support/here.ts';

const backoffice = backofficeHere();
let target: SignedIn;

beforeEach(async () => {
  target = await backoffice.service.signIn('admin');
});

const change = (fields: object, expected: unknown, id = target.id) =>
  backoffice.api.put('/admins', { id, ...fields, expected });
const changed = (what: string) => errorResponse(409, `Changed meanwhile: ${what}.`);

async function row(): Promise<object | undefined> {
  const [found] = await backoffice.sql('select * from admins where id = $1', [target.id]);
  return found;
}

describe('PUT admins with the fields that the caller saw', () => {
  test('changes an admin that still has them', async () => {
    const { admins } = await backoffice.superadmin.client.call('admins.list', { limit: 100 });
    const { id: _id, ...seen } = admins.find(({ id }) => id === target.id) ?? { id: '' };
    expect(await change({ username: 'Grace' }, seen)).toEqual(success);
    expect(await change({ role: 'user' }, { role: 'admin', username: 'Grace' })).toEqual(success);
    expect(await row()).toMatchObject({ username: 'Grace', role: 'user' });
  });

  test.for([
    [{ role: 'user' }, { role: 'superadmin' }, 'role is now admin'],
    [{ password: 'another password' }, { is_active: 0 }, 'is_active is now 1'],
    [
      { email: 'new@example.com' },
      { username: 'x', role: 'user' },
      'username is now admin; role is now admin',
    ],
  ] as const)('changes, records and signs out nothing for %j of %j', async ([fields, expected, what]) => {
    await backoffice.sql(`update admins set username = 'admin' where id = $1`, [target.id]);
    const before = [await row(), await auditRecordsOf(backoffice, 'admins.update')];
    expect(await change(fields, expected)).toEqual(changed(what));
    expect([await row(), await auditRecordsOf(backoffice, 'admins.update')]).toEqual(before);
    expect(await statusWith(backoffice.service, target.cookie)).toBe(200);
  });

  test('changes it once when ten do so at once', async () => {
    const answers = await atOnce(10, (index) =>
      change({ email: `taken-${index}@example.com` }, { email: target.email }),
    );
    const taken = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(
      Array(9).fill(changed(`email is now taken-${taken}@example.com`)),
    );
  });

  test('answers 409 if the admin does not exist', async () => {
    for (const fields of [{ username: 'x' }, { password: 'another password' }]) {
      expect(await change(fields, { role: 'admin' }, 'admin_unknown')).toEqual(
        changed('the admin no longer exists'),
      );
    }
  });

  test('needs a field to update besides, and answers 400 to a field that an admin does not have', async () => {
    expect(await change({}, { role: 'admin' })).toEqual(errorResponse(400, 'No fields to update.'));
    expect(await change({ username: 'x' }, { password_hash: 'x' })).toEqual(
      errorResponse(
        400,
        'expected has an unknown field: "password_hash". Known fields: email, username, role, is_active, created_at.',
      ),
    );
    expect(await change({ username: 'x' }, { is_active: true })).toEqual(
      errorResponse(400, 'expected.is_active must be a number.'),
    );
  });

  test('says so before it says that an e-mail is taken', async () => {
    const { email } = backoffice.superadmin;
    expect(await change({ email }, { role: 'user' })).toEqual(changed('role is now admin'));
    expect((await change({ email }, { role: 'admin' })).status).toBe(409);
  });
});

test('activating and deactivating an admin takes them too, and a refusal ends no session', async () => {
  const deactivate = (expected: object) =>
    backoffice.api.put('/admins/activity', { id: target.id, is_active: 0, expected });
  expect(await deactivate({ role: 'user' })).toEqual(changed('role is now admin'));
  expect(await statusWith(backoffice.service, target.cookie)).toBe(200);
  expect(await deactivate({ role: 'admin', is_active: 1 })).toEqual(success);
  expect(await statusWith(backoffice.service, target.cookie)).toBe(401);
});
