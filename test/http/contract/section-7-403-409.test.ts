import { expect, test } from 'vitest';
import { apiAs, errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const account = { email: 'new@example.com', password: 'long enough' };
const target = { id: 'admin_0_nobody' };
const emailTaken = errorResponse(409, 'An admin with this email already exists.');

const byRole = async (role: 'user' | 'admin') =>
  apiAs(backoffice.service.url, await backoffice.service.signIn(role));

test('section 7: 403 POST and DELETE admins: session role not superadmin or admin -> Insufficient permissions.', async () => {
  const user = await byRole('user');
  const insufficient = errorResponse(403, 'Insufficient permissions.');
  expect(await user.post('/admins', account)).toEqual(insufficient);
  expect(await user.delete('/admins?id=admin_0_nobody')).toEqual(insufficient);
});

test('section 7: 403 PUT admins: role supplied and session role not superadmin -> Only superadmin can change roles.', async () => {
  for (const role of ['user', 'admin'] as const) {
    const api = await byRole(role);
    for (const supplied of ['user', 'admin', 'superadmin', '', null, 0, false, {}]) {
      expect(await api.put('/admins', { ...target, role: supplied })).toEqual(
        errorResponse(403, 'Only superadmin can change roles.'),
      );
    }
  }
});

test('section 7: 403 DELETE admins: target admin has the session’s email -> You cannot delete your own account.', async () => {
  expect(await backoffice.api.delete(`/admins?id=${backoffice.superadmin.id}`)).toEqual(
    errorResponse(403, 'You cannot delete your own account.'),
  );
});

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

test('section 7: no endpoint answers 404, because unknown ids succeed', async () => {
  const { api } = backoffice;
  expect(await api.put('/issues', { id: 999_999, status: 'Closed' })).toEqual(success);
  expect(await api.put('/admins', { ...target, username: 'U' })).toEqual(success);
  expect(await api.delete('/admins?id=admin_0_nobody')).toEqual(success);
});
