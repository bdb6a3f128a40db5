import { expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { type Api, type ApiResponse, apiAs, errorResponse, sendHead } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** The operations that not every session may call. The tests of every operation show that each keeps to its rule. */
const restricted = {
  anyone: [
    'invitations.accept',
    'device.create',
    'device.token',
    'session.create',
    'session.verify',
    'passwordReset.create',
    'passwordReset.confirm',
  ],
  'superadmin, admin': [
    'issues.delete',
    'labels.rename',
    'labels.delete',
    'admins.create',
    'admins.delete',
    'admins.changeActivity',
    'invitations.list',
    'invitations.create',
    'invitations.revoke',
    'sessions.list',
    'sessions.revoke',
    'visitors.export',
  ],
  superadmin: [
    'audit.list',
    'audit.verify',
    'visitors.erase',
    'webhooks.list',
    'webhooks.create',
    'webhooks.update',
    'webhooks.delete',
    'webhooks.test',
    'webhooks.deliveries',
    'webhooks.replay',
    'factors.listOfAdmin',
    'factors.reset',
  ],
};

test('section 5: every session may call every operation but these', () => {
  const who = (allow: Operation['allow']) =>
    allow.to === 'roles' ? allow.roles.join(', ') : allow.to === 'session' ? undefined : allow.to;
  const found = Map.groupBy(operations, ({ allow }) => who(allow));
  found.delete(undefined);
  expect(Object.fromEntries([...found].map(([name, each]) => [name, each.map(({ id }) => id)]))).toEqual(
    restricted,
  );
});

const insufficient = 'Insufficient permissions.';
const managers = ['superadmin', 'admin'];
const superadmins = ['superadmin'];

/** Requests whose permission depends on their input. */
test.for<[string, readonly string[], string, (api: Api) => Promise<ApiResponse>]>([
  [
    'PUT admins with a role',
    superadmins,
    'Only superadmin can change roles.',
    (api) => api.put('/admins', { id: 'admin_0_nobody', role: 'user' }),
  ],
  [
    'PUT admins with a role of null',
    superadmins,
    'Only superadmin can change roles.',
    (api) => api.put('/admins', { id: 'admin_0_nobody', role: null }),
  ],
  [
    'DELETE sessions with an admin id',
    managers,
    insufficient,
    (api) => api.delete('/sessions?admin_id=admin_0_nobody'),
  ],
  [
    'GET events/latest for tokens',
    superadmins,
    insufficient,
    (api) => api.get('/events/latest?types=token.created'),
  ],
  ['GET events for sessions', managers, insufficient, (api) => api.get('/events?types=session.started')],
  ['GET events for tokens', superadmins, insufficient, (api) => api.get('/events?types=token.created')],
])('section 5: %s', async ([, allowed, otherwise, request]) => {
  for (const role of roles) {
    const answer = await request(apiAs(backoffice.service.url, await backoffice.service.signIn(role)));
    if (!allowed.includes(role)) expect(answer, role).toEqual(errorResponse(403, otherwise));
    else expect(answer.status, role).toBe(200);
  }
});

/**
 * "Checks run in this order: session (401), role (403), body parsing" (section 7). These requests announce a body and
 * never send it. An answer proves that the service did not wait for it, and a closed connection that it never will.
 */
const announced = ['Content-Type: application/json', 'Content-Length: 1000000'];

test('section 5: a body of unknown length is not read either', async () => {
  const answer = await sendHead(backoffice.service.url, [
    'POST /api/admin/issues HTTP/1.1',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test('section 5: a client that waits for 100 Continue gets 401 instead', async () => {
  const answer = await sendHead(backoffice.service.url, [
    'POST /api/admin/issues HTTP/1.1',
    ...announced,
    'Expect: 100-continue',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).not.toContain('100 Continue');
});

test.for(['/api/admin/nothing', '/api/admin/issues'])(
  'section 5: a request for %s that matches no operation is 401 with the body unread',
  async (path) => {
    const answer = await sendHead(backoffice.service.url, [`PATCH ${path} HTTP/1.1`, ...announced]);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  },
);
