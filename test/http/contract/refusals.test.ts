import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { apiOfRole, apiOfToken } from '../../support/here/accounts.ts';
import {
  type Api,
  type ApiResponse,
  ask,
  errorResponse,
  errorResponseLike,
  sendHead,
  success,
} from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** The operations that not every session may call. The tests of every operation show that each keeps to its rule. */
const restricted = {
  anyone: `
    invitations.accept device.create device.token contact.create session.create session.verify
    passwordReset.create passwordReset.confirm`,
  'superadmin, admin': `
    issues.delete mail.receive labels.rename labels.delete admins.create admins.delete admins.changeActivity
    invitations.list invitations.create invitations.revoke sessions.list sessions.revoke visitors.export`,
  superadmin: `
    exampleData.delete audit.list audit.verify visitors.erase webhooks.list webhooks.create webhooks.update webhooks.delete
    webhooks.test webhooks.deliveries webhooks.replay factors.listOfAdmin factors.reset`,
};

test('section 5: every session may call every operation but these', () => {
  const who = (allow: Operation['allow']) =>
    allow.to === 'roles' ? allow.roles.join(', ') : allow.to === 'session' ? undefined : allow.to;
  const found = Map.groupBy(operations, ({ allow }) => who(allow));
  found.delete(undefined);
  expect(new Map([...found].map(([name, each]) => [name, each.map(({ id }) => id)]))).toEqual(
    new Map(Object.entries(restricted).map(([name, ids]) => [name, ids.trim().split(/\s+/)])),
  );
});

const insufficient = 'Insufficient permissions.';
const onlySuperadmin = 'Only superadmin can change roles.';
const managers = ['superadmin', 'admin'];
const superadmins = ['superadmin'];
const id = 'admin_0_nobody';

/** Requests whose permission depends on their input. */
test.for<[string, readonly string[], string, (api: Api) => Promise<ApiResponse>]>([
  ['PUT admins with a role', superadmins, onlySuperadmin, (api) => api.put('/admins', { id, role: 'user' })],
  ['PUT admins with no role', superadmins, onlySuperadmin, (api) => api.put('/admins', { id, role: null })],
  ['DELETE sessions of an admin', managers, insufficient, (api) => api.delete(`/sessions?admin_id=${id}`)],
  ...(
    [
      ['events?types=session.started', managers],
      ['events?types=issue.created,token.revoked', superadmins],
      ['events/latest?types=webhook.created', superadmins],
    ] as const
  ).map(([path, allowed]): [string, readonly string[], string, (api: Api) => Promise<ApiResponse>] => [
    `GET ${path}`,
    allowed,
    insufficient,
    (api) => api.get(`/${path}`),
  ]),
])('section 5: %s', async ([, allowed, otherwise, request]) => {
  for (const role of roles) {
    const answer = await request(await apiOfRole(backoffice, role));
    if (!allowed.includes(role)) expect(answer, role).toEqual(errorResponse(403, otherwise));
    else expect(answer.status, role).toBe(200);
  }
});

/**
 * "Checks run in this order: session (401), role (403), body parsing" (section 7). These requests announce a body and
 * never send it. An answer proves that the service did not wait for it, and a closed connection that it never will.
 */
test.for([
  ['a body of unknown length is not read either', 'POST', 'issues', ['Transfer-Encoding: chunked']],
  ['a client that waits for 100 Continue gets 401', 'POST', 'issues', ['Expect: 100-continue']],
  ['a request that matches no operation is 401 with the body unread', 'PATCH', 'nothing', []],
] as const)('section 5: %s', async ([, method, path, headers]) => {
  const length = headers[0]?.startsWith('Transfer') ? [] : ['Content-Length: 1000000'];
  const head = [`${method} /api/admin/${path} HTTP/1.1`, 'Content-Type: application/json', ...length];
  const answer = await sendHead(backoffice.service.url, [...head, ...headers]);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).not.toContain('100 Continue');
});

const emailTaken = errorResponse(409, 'An admin with this email already exists.');

describe('section 7:', () => {
  let user: Api;
  let admin: Api;
  /** Already used by the superadmin. */
  let email: string;

  beforeAll(async () => {
    user = await apiOfRole(backoffice, 'user');
    admin = await apiOfRole(backoffice, 'admin');
    email = backoffice.superadmin.email;
  });

  // That the session (401) and the role (403) come before the body, test/every shows of each operation.
  test.for([
    ['without an id', { role: 'user' }],
    ['a role that is an object', { role: {}, id: 'x' }],
    ['with an id of a wrong type', { role: 'user', id: {} }],
    ['with a short password', { role: 'user', id: 'x', password: '1' }],
    ['with a NUL in another field', { role: 'user', id: 'x', username: 'a\0b' }],
    ['with another field nested too deep', { role: 'user', id: 'x', extra: nested(40) }],
  ] as const)('role (403) comes before all else that is wrong with PUT admins: %s', async ([, body]) => {
    const refused = errorResponse(403, onlySuperadmin);
    for (const api of [user, admin]) {
      expect(await api.put('/admins', body)).toEqual(refused);
      expect(await api.put('/admins', { ...body, email })).toEqual(refused);
    }
  });

  test('validation (400) comes before uniqueness (409), in POST and PUT admins', async () => {
    const short = errorResponse(400, 'Password must be at least 6 characters.');
    const { id } = await backoffice.service.signIn('user');
    expect(await admin.post('/admins', { email, password: '12345' })).toEqual(short);
    expect(await admin.put('/admins', { id, email, password: '12345' })).toEqual(short);
    expect(await admin.put('/admins', { email })).toEqual(errorResponse(400, 'Admin ID is required.'));
    expect(await admin.put('/admins', { id, email, password: 'long enough' })).toEqual(emailTaken);
  });
});

/** Returns arrays nested to that depth. */
function nested(depth: number): unknown {
  return depth === 0 ? 'bottom' : [nested(depth - 1)];
}

describe('section 7: 500', () => {
  /** Calls with an API token. Its check reads no admin, so the table of admins may fail. */
  let api: Api;

  beforeAll(async () => {
    api = await apiOfToken(backoffice, 'superadmin');
  });

  /** Makes a request while every query of a table or function fails, with a message that no caller may see. */
  async function without<T>(what: string, request: () => Promise<T>): Promise<T> {
    const [, kind, name, signature] = /^(\w+) (\w+)(.*)$/.exec(what) ?? [];
    await backoffice.sql(`alter ${what} rename to ${name}_away`);
    const answer = await request();
    await backoffice.sql(`alter ${kind} ${name}_away${signature} rename to ${name}`);
    return answer;
  }

  /** Bodies that are not JSON. */
  const broken = [...['', ' ', '{', '{title:"T"}', '{"title":"T"}}', 'NaN'], '\u{feff}\u{feff}{}'];

  const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
  const account = { email: 'new@example.com', password: 'long enough' };
  const isSafe = 'its message, if safe to show';

  /** What a caller must not see of the failure: SQL, table names, a stack trace, a host. */
  const leak =
    /relation|exist|_away|select|insert|update|issue|setting|admin|postgres|\d+\.\d+\.\d+\.\d+|\.[jt]s\b|\bat \w+ \(|\n/i;

  test.for<[method: keyof Api, path: string, text: string, fails: string, body?: object]>([
    ['get', '/conversations', 'Failed to load conversations.', 'table conversations'],
    ['post', '/conversations', 'Failed to create conversation.', 'table conversations', visitor],
    ['get', '/admins', 'Failed to load admins.', 'table admins'],
    ['post', '/admins', 'Failed to create admin.', 'table admins', account],
    ['put', '/admins', 'Failed to update admin.', 'table admins', { id, username: 'U' }],
    ['delete', `/admins?id=${id}`, 'Failed to delete admin.', 'table admins'],
    ['get', '/issues', isSafe, 'table issues'],
    ['get', '/issues?period=daily', isSafe, 'function issue_statistics(text)'],
    ['post', '/issues', isSafe, 'table issues', { title: 'T' }],
    ['put', '/issues', isSafe, 'table issues', { id: 1, status: 'Open' }],
    ['get', '/settings', isSafe, 'table settings'],
    ['put', '/settings', isSafe, 'table settings', { key: 'k', value: 'v' }],
  ])('%s %s: unexpected failure, or an unparseable body -> %s', async ([method, path, text, fails, body]) => {
    const send = (body?: unknown) => api[method](path, body);
    expect((await send(body)).status).toBe(200);
    const answers = [await without(fails, () => send(body))];
    if (body !== undefined) for (const text of broken) answers.push(await send(text));
    for (const answer of answers) {
      expect(answer).toEqual(text === isSafe ? errorResponseLike(500, /\S/) : errorResponse(500, text));
      if (text === isSafe) expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
    }
  });

  test('of a body is the message of the JSON parser; nothing changes, and the next request succeeds', async () => {
    expect(await api.post('/issues', '{"title":')).toEqual(
      errorResponse(500, 'Unexpected end of JSON input'),
    );
    const { service, superadmin, sql } = backoffice;
    const missing = await ask(service, '/api/admin/issues', { method: 'POST', as: superadmin });
    expect(missing).toMatchObject(errorResponseLike(500, /\S/));
    await api.put('/settings', '{"updates":{"a":"1"}');
    expect(await sql(`select from settings where setting_key = 'a'`)).toEqual([]);
    expect(await api.put('/settings', '{"updates":{"a":"1"}}')).toEqual(success);
  });
});
