import { expect, test } from 'vitest';
import { askAs, refusal, success } from '../../support/http/ask.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

const account = { email: 'new@example.com', password: 'long enough' };
const target = { id: 'admin_0_nobody' };
const emailTaken = refusal(409, 'An admin with this email already exists.');

const byRole = async (role: 'user' | 'admin') =>
  askAs(backoffice.service.url, await backoffice.service.signIn(role));

test('section 7: 403 POST and DELETE admins: session role not superadmin or admin -> Insufficient permissions.', async () => {
  const user = await byRole('user');
  const insufficient = refusal(403, 'Insufficient permissions.');
  expect(await user.post('/admins', account)).toEqual(insufficient);
  expect(await user.delete('/admins?id=admin_0_nobody')).toEqual(insufficient);
});

test('section 7: 403 PUT admins: role supplied and session role not superadmin -> Only superadmin can change roles.', async () => {
  for (const role of ['user', 'admin'] as const) {
    const ask = await byRole(role);
    for (const supplied of ['user', 'admin', 'superadmin', '', null, 0, false, {}]) {
      expect(await ask.put('/admins', { ...target, role: supplied })).toEqual(
        refusal(403, 'Only superadmin can change roles.'),
      );
    }
  }
});

test('section 7: 403 DELETE admins: target admin has the session’s email -> You cannot delete your own account.', async () => {
  expect(await backoffice.ask.delete(`/admins?id=${backoffice.superadmin.id}`)).toEqual(
    refusal(403, 'You cannot delete your own account.'),
  );
});

test('section 7: 409 POST admins: email already used -> An admin with this email already exists.', async () => {
  const { email } = backoffice.superadmin;
  expect(await backoffice.ask.post('/admins', { ...account, email })).toEqual(emailTaken);
  expect(await backoffice.ask.post('/admins', { ...account, email: ` ${email.toUpperCase()} ` })).toEqual(
    emailTaken,
  );
});

test('section 7: 409 PUT admins: email already used by another admin -> An admin with this email already exists.', async () => {
  const { id } = await backoffice.service.signIn('user');
  const { email } = backoffice.superadmin;
  expect(await backoffice.ask.put('/admins', { id, email })).toEqual(emailTaken);
  expect(
    await backoffice.ask.put('/admins', { id, email: ` ${email.toUpperCase()} `, username: 'U' }),
  ).toEqual(emailTaken);
  // The request changed nothing.
  expect(await backoffice.sql('select username from admins where id = $1', [id])).not.toEqual([
    { username: 'U' },
  ]);
});

test('section 7: no endpoint answers 404, because unknown ids succeed', async () => {
  const { ask } = backoffice;
  expect(await ask.put('/issues', { id: 999_999, status: 'Closed' })).toEqual(success);
  expect(await ask.put('/admins', { ...target, username: 'U' })).toEqual(success);
  expect(await ask.delete('/admins?id=admin_0_nobody')).toEqual(success);
});
