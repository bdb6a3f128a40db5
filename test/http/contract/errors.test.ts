import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiAs, errorResponse, errorResponseLike, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const rolesAreSuperadmins = errorResponse(403, 'Only superadmin can change roles.');
const emailTaken = errorResponse(409, 'An admin with this email already exists.');

let user: Api;
let admin: Api;
/** Already used by the superadmin. */
let email: string;

beforeAll(async () => {
  const { service, superadmin } = backoffice;
  user = apiAs(service.url, await service.signIn('user'));
  admin = apiAs(service.url, await service.signIn('admin'));
  email = superadmin.email;
});

// That the session (401) and the role (403) come before the body, test/every shows of each operation.
describe('section 7: role (403) comes before', () => {
  test('uniqueness (409)', async () => {
    expect(await user.put('/admins', { id: 'x', role: 'user', email })).toEqual(rolesAreSuperadmins);
  });

  test.for([
    ['without an id', { role: 'user' }],
    ['an empty role', { role: '', id: 'x' }],
    ['a role that is no text', { role: 0, id: 'x' }],
    ['a role that is an object', { role: {}, id: 'x' }],
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

test('section 7: a role in the query string does not count as supplied', async () => {
  expect(await user.put('/admins?role=user', { id: 'admin_0_nobody', username: 'U' })).toEqual(success);
});

/** Returns arrays nested to that depth. */
function nested(depth: number): unknown {
  return depth === 0 ? 'bottom' : [nested(depth - 1)];
}

/** Bodies that are not JSON. */
const broken = [
  '',
  ' ',
  '{',
  '{"title":',
  '{title:"T"}',
  "{'title':'T'}",
  '{"title":"T"}}',
  'NaN',
  '\u{feff}\u{feff}{}',
  'undefined',
];

/** What a message must not contain: a place in the code, a stack trace, SQL, or the address of the database. */
const leak = /\.(ts|js)\b|node_modules|\bat \w+ \(|select |insert |postgres|127\.0\.0\.1|\n/i;

describe('section 7: 500 issues, settings: an unparseable body -> the underlying failure message', () => {
  test.for([
    ['POST', '/issues'],
    ['PUT', '/issues'],
    ['PUT', '/settings'],
  ] as const)('%s %s', async ([method, path]) => {
    for (const body of broken) {
      const answer = await (method === 'POST'
        ? backoffice.api.post(path, body)
        : backoffice.api.put(path, body));
      expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
      expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
    }
  });

  test('the message is that of the JSON parser', async () => {
    expect(await backoffice.api.post('/issues', '{"title":')).toEqual(
      errorResponse(500, 'Unexpected end of JSON input'),
    );
  });
});

describe('section 7: 500 elsewhere: an unparseable body -> the fixed text', () => {
  test.for(broken)('%j', async (body) => {
    const { api } = backoffice;
    expect(await api.post('/conversations', body)).toEqual(
      errorResponse(500, 'Failed to create conversation.'),
    );
    expect(await api.post('/admins', body)).toEqual(errorResponse(500, 'Failed to create admin.'));
    expect(await api.put('/admins', body)).toEqual(errorResponse(500, 'Failed to update admin.'));
  });
});

test('section 7: a missing body is unparseable', async () => {
  const response = await backoffice.service.fetch('/api/admin/issues', {
    method: 'POST',
    headers: { cookie: backoffice.superadmin.cookie },
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/\S/) });
});

test('section 7: an unparseable body changes nothing, and the next request succeeds', async () => {
  await backoffice.api.put('/settings', '{"updates":{"a":"1"}');
  expect(await backoffice.sql('select from settings')).toEqual([]);
  expect((await backoffice.api.put('/settings', '{"updates":{"a":"1"}}')).status).toBe(200);
});

describe('a query that fails', () => {
  /** Calls with an API token. Its check reads no admin, so the table of admins may fail. */
  let api: Api;

  beforeAll(async () => {
    const { service } = backoffice;
    const { secret } = await service.createToken('superadmin');
    api = apiAs(service.url, { authorization: `Bearer ${secret}` });
  });

  const tables = ['issues', 'conversations', 'settings', 'admins'];

  afterEach(async () => {
    for (const table of tables)
      await backoffice.sql(`alter table if exists ${table}_away rename to ${table}`);
  });

  /** Makes every query of a table fail, with a message that no caller may see because it contains SQL. */
  const breakTable = (table: string) => backoffice.sql(`alter table ${table} rename to ${table}_away`);

  const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
  const account = { email: 'new@example.com', password: 'long enough' };

  test.for([
    ['GET conversations', 'Failed to load conversations.', 'conversations', () => api.get('/conversations')],
    [
      'POST conversations',
      'Failed to create conversation.',
      'conversations',
      () => api.post('/conversations', visitor),
    ],
    ['GET admins', 'Failed to load admins.', 'admins', () => api.get('/admins')],
    ['POST admins', 'Failed to create admin.', 'admins', () => api.post('/admins', account)],
    ['PUT admins', 'Failed to update admin.', 'admins', () => api.put('/admins', { id: 'x', username: 'U' })],
  ] as const)('section 7: 500 %s: unexpected failure -> %s', async ([, text, table, request]) => {
    expect((await request()).status).toBe(200);
    await breakTable(table);
    expect(await request()).toEqual(errorResponse(500, text));
  });

  /** What a caller must not see of the failure: SQL, table names, a stack trace, a host. */
  const leak =
    /relation|exist|_away|select|insert|update|issue|setting|admin|postgres|\d+\.\d+\.\d+\.\d+|\.ts|\n/i;

  test('section 7: 500 DELETE admins: a fixed text, not the underlying failure message', async () => {
    await breakTable('admins');
    const answers = [await api.delete('/admins?id=x'), await api.delete('/admins?id=y')];
    expect(answers[0]).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
    expect(answers[0]?.body).not.toEqual({ error: expect.stringMatching(/relation|_away|exist|sql/i) });
    expect(answers[1]).toEqual(answers[0]);
  });

  test.for([
    ['GET issues', 'issues', () => api.get('/issues')],
    ['POST issues', 'issues', () => api.post('/issues', { title: 'T' })],
    ['PUT issues', 'issues', () => api.put('/issues', { id: 1, status: 'Open' })],
    ['GET settings', 'settings', () => api.get('/settings')],
    ['PUT settings', 'settings', () => api.put('/settings', { key: 'k', value: 'v' })],
  ] as const)(
    'section 7: 500 %s: unexpected failure -> its message, if safe to show',
    async ([, table, request]) => {
      expect((await request()).status).toBe(200);
      await breakTable(table);
      const answer = await request();
      expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
      expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
    },
  );

  test('section 7: 500 GET issues with a period: unexpected failure -> its message, if safe to show', async () => {
    await backoffice.sql('alter function issue_statistics(text) rename to issue_statistics_away');
    const answer = await api.get('/issues?period=daily');
    await backoffice.sql('alter function issue_statistics_away(text) rename to issue_statistics');
    expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
    expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
  });

  test('section 7: the service keeps working after a failure', async () => {
    await breakTable('issues');
    const failed = await Promise.all(Array.from({ length: 30 }, () => api.get('/issues')));
    expect(failed.map(({ status }) => status)).toEqual(Array(30).fill(500));
    await backoffice.sql('alter table issues_away rename to issues');
    const served = await Promise.all(Array.from({ length: 30 }, () => api.get('/issues')));
    expect(served.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });
});
