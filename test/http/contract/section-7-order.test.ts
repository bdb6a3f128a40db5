import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiAs, errorResponse, errorResponseLike, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const unauthorized = errorResponse(401, 'Unauthorized');
const insufficient = errorResponse(403, 'Insufficient permissions.');
const rolesAreSuperadmins = errorResponse(403, 'Only superadmin can change roles.');
const emailTaken = errorResponse(409, 'An admin with this email already exists.');

const brokenJson = '{"email":';
const tooLarge = JSON.stringify({ title: 'x'.repeat(2 * 1024 * 1024) });

let nobody: Api;
let user: Api;
let admin: Api;
/** Already used by the superadmin. */
let email: string;

beforeAll(async () => {
  const { service, superadmin } = backoffice;
  nobody = apiAs(service.url);
  user = apiAs(service.url, await service.signIn('user'));
  admin = apiAs(service.url, await service.signIn('admin'));
  email = superadmin.email;
});

describe('section 7: session (401) comes before', () => {
  test('role (403)', async () => {
    expect(await nobody.delete('/admins?id=x')).toEqual(unauthorized);
    expect(await nobody.put('/admins', { id: 'x', role: 'user' })).toEqual(unauthorized);
  });

  test('validation (400)', async () => {
    expect(await nobody.post('/issues', {})).toEqual(unauthorized);
    expect(await nobody.put('/admins', {})).toEqual(unauthorized);
    expect(await nobody.delete('/admins')).toEqual(unauthorized);
  });

  test('body parsing (500)', async () => {
    expect(await nobody.post('/issues', brokenJson)).toEqual(unauthorized);
    expect(await nobody.post('/conversations', brokenJson)).toEqual(unauthorized);
    expect(await nobody.put('/settings', '')).toEqual(unauthorized);
    expect(await nobody.put('/admins', brokenJson)).toEqual(unauthorized);
  });

  test('body size (413)', async () => {
    // A client that keeps writing after the answer may lose the connection before it reads the answer.
    // section-5-unread-body.test.ts checks the bytes.
    const answer = await nobody.post('/issues', tooLarge).catch(() => unauthorized);
    expect(answer).toEqual(unauthorized);
  });

  test('uniqueness (409)', async () => {
    expect(await nobody.post('/admins', { email, password: 'long enough' })).toEqual(unauthorized);
  });
});

describe('section 7: role (403) comes before', () => {
  test('validation (400)', async () => {
    expect(await user.post('/admins', {})).toEqual(insufficient);
    expect(await user.delete('/admins')).toEqual(insufficient);
  });

  test('body parsing (500)', async () => {
    expect(await user.post('/admins', brokenJson)).toEqual(insufficient);
  });

  test('uniqueness (409)', async () => {
    expect(await user.post('/admins', { email, password: 'long enough' })).toEqual(insufficient);
    expect(await user.put('/admins', { id: 'x', role: 'user', email })).toEqual(rolesAreSuperadmins);
  });

  test.for([
    ['without an id', { role: 'user' }],
    ['a role of null, without an id', { role: null }],
    ['with an id of a wrong type', { role: 'user', id: {} }],
    ['with a short password', { role: 'user', id: 'x', password: '1' }],
    ['with a username of a wrong type', { role: 'user', id: 'x', username: 5 }],
    ['with a NUL in another field', { role: 'user', id: 'x', username: 'a\0b' }],
    ['with another field nested too deep', { role: 'user', id: 'x', extra: nested(40) }],
  ] as const)('everything else that is wrong with PUT admins with a role: %s', async ([, body]) => {
    expect(await user.put('/admins', body)).toEqual(rolesAreSuperadmins);
    expect(await admin.put('/admins', body)).toEqual(rolesAreSuperadmins);
  });
});

describe('section 7: validation (400) comes before uniqueness (409)', () => {
  test('in POST admins', async () => {
    expect(await admin.post('/admins', { email, password: '12345' })).toEqual(
      errorResponse(400, 'Password must be at least 6 characters.'),
    );
    expect(await admin.post('/admins', { email, password: 'long enough', username: 5 })).toEqual(
      errorResponseLike(400, /username/),
    );
  });

  test('in PUT admins', async () => {
    const { id } = await backoffice.service.signIn('user');
    expect(await admin.put('/admins', { id, email, password: '12345' })).toEqual(
      errorResponse(400, 'Password must be at least 6 characters.'),
    );
    expect(await admin.put('/admins', { email })).toEqual(errorResponse(400, 'Admin ID is required.'));
    expect(await admin.put('/admins', { id, email, password: 'long enough' })).toEqual(emailTaken);
  });
});

test('section 7: a superadmin with a role and no id gets the error of the id', async () => {
  expect(await backoffice.api.put('/admins', { role: 'user' })).toEqual(
    errorResponse(400, 'Admin ID is required.'),
  );
});

test('section 7: a role in the query string does not count as supplied', async () => {
  expect(await user.put('/admins?role=user', { id: 'admin_0_nobody', username: 'U' })).toEqual(success);
});

/** Returns arrays nested to that depth. */
function nested(depth: number): unknown {
  return depth === 0 ? 'bottom' : [nested(depth - 1)];
}
