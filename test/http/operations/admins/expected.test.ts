import { beforeEach, describe, expect, test } from 'vitest';
import { statusWith } from '../../../support/here/accounts.ts';
import { errorResponse, success } from '../../../support/here/requests.ts';
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
