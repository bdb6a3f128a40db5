import { expect, test } from 'vitest';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

const unauthorized = errorResponse(401, 'Unauthorized');

async function counts() {
  const [row] = await backoffice.sql(`
    select (select count(*) from issues) as issues, (select count(*) from conversations) as conversations,
      (select count(*) from settings) as settings, (select count(*) from admins) as admins,
      (select max(updated_at) from admins) as changed
  `);
  return row;
}

test('section 5: without a session nothing happens', async () => {
  const nobody = apiAs(backoffice.service.url);
  const { id } = backoffice.superadmin;
  const before = await counts();
  expect(await nobody.post('/issues', { title: 'T' })).toEqual(unauthorized);
  expect(await nobody.post('/conversations', { visitor_email: 'v', visitor_name: 'v' })).toEqual(
    unauthorized,
  );
  expect(await nobody.put('/settings', { key: 'k', value: 'v' })).toEqual(unauthorized);
  expect(await nobody.post('/admins', { email: 'n@example.com', password: 'long enough' })).toEqual(
    unauthorized,
  );
  expect(await nobody.put('/admins', { id, username: 'U' })).toEqual(unauthorized);
  expect(await nobody.delete(`/admins?id=${id}`)).toEqual(unauthorized);
  expect(await counts()).toEqual(before);
});

/** What can end a session. */
const ends: Record<string, (someone: SignedIn) => Promise<unknown>> = {
  'was ended by its owner': (someone) => apiAs(backoffice.service.url, someone).delete('/session'),
  'has expired': ({ id }) =>
    backoffice.sql("update sessions set expire = now() - interval '1 second' where admin_id = $1", [id]),
  'was idle for too long': ({ id }) =>
    backoffice.sql("update sessions set last_seen_at = now() - interval '31 minutes' where admin_id = $1", [
      id,
    ]),
  'has an admin that is no longer active': ({ id }) =>
    backoffice.sql('update admins set is_active = 0 where id = $1', [id]),
  'has an admin that was deleted': ({ id }) => backoffice.api.delete(`/admins?id=${id}`),
};

test.for(Object.entries(ends))('section 5: a session that %s is not valid', async ([, end]) => {
  const someone = await backoffice.service.signIn('superadmin');
  const api = apiAs(backoffice.service.url, someone);
  expect((await api.get('/issues')).status).toBe(200);
  await end(someone);
  expect(await api.get('/issues')).toEqual(unauthorized);
  expect(await api.post('/issues', { title: 'T' })).toEqual(unauthorized);
});

test.for([
  ['no value', 'backoffice='],
  ['a value that is not a session', 'backoffice=s%3Anonsense.nonsense'],
  ['no signature', 'backoffice=0123456789abcdef'],
  ['malformed content', ';;;=;backoffice'],
] as const)('section 5: a cookie with %s is not a session', async ([, cookie]) => {
  expect(await apiAs(backoffice.service.url, { cookie }).get('/issues')).toEqual(unauthorized);
});

test('section 5: a cookie with one changed character in its signature is not a session', async () => {
  const { cookie } = backoffice.superadmin;
  const forged = cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A');
  expect(await apiAs(backoffice.service.url, { cookie: forged }).get('/issues')).toEqual(unauthorized);
});

test('section 5: a role change takes effect with the next request', async () => {
  const someone = await backoffice.service.signIn('admin');
  const api = apiAs(backoffice.service.url, someone);
  // Changed directly in the database, which keeps the session. The role is read with each request.
  await backoffice.sql(`
    begin;
    select set_config('backoffice.keep_session', (select sid from sessions where admin_id = '${someone.id}'), true);
    update admins set role = 'user' where id = '${someone.id}';
    commit;
  `);
  expect(await api.delete('/admins?id=admin_0_nobody')).toEqual(
    errorResponse(403, 'Insufficient permissions.'),
  );
});
