import { beforeAll, describe, expect, test } from 'vitest';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { commentErrors } from '../../../src/contract/operations/comments.ts';
import { factorErrors } from '../../../src/contract/operations/factors.ts';
import { operations } from '../../../src/contract/registry.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { type Api, type ApiResponse, apiAs, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();
const registry: readonly Operation[] = operations;

/** Who may call an operation, and the 403 that everybody else gets. */
interface Permission {
  readonly roles: readonly string[];
  readonly otherwise: string;
}

const everySession: Permission = { roles, otherwise: '' };
const managers: Permission = { roles: ['admin', 'superadmin'], otherwise: 'Insufficient permissions.' };
const superadmins: Permission = { roles: ['superadmin'], otherwise: 'Insufficient permissions.' };
const roleChangers: Permission = { roles: ['superadmin'], otherwise: 'Only superadmin can change roles.' };

let created = 0;

interface Line {
  readonly id: string;
  readonly allow: Permission;
  readonly request: (api: Api) => Promise<ApiResponse>;
  /** The errors that an allowed request may get, because its example may name missing rows. */
  readonly errors?: readonly string[];
}

/** The table of section 5, with a request that succeeds for those who may call. */
const ofTheContract: readonly Line[] = [
  { id: 'issues.list', allow: everySession, request: (api) => api.get('/issues') },
  { id: 'issues.create', allow: everySession, request: (api) => api.post('/issues', { title: 'T' }) },
  {
    id: 'issues.changeStatus',
    allow: everySession,
    request: (api) => api.put('/issues', { id: 1, status: 'Open' }),
  },
  { id: 'conversations.list', allow: everySession, request: (api) => api.get('/conversations') },
  {
    id: 'conversations.create',
    allow: everySession,
    request: (api) => api.post('/conversations', { visitor_email: 'v@example.com', visitor_name: 'V' }),
  },
  { id: 'settings.show', allow: everySession, request: (api) => api.get('/settings') },
  {
    id: 'settings.update',
    allow: everySession,
    request: (api) => api.put('/settings', { key: 'k', value: 'v' }),
  },
  { id: 'admins.list', allow: everySession, request: (api) => api.get('/admins') },
  {
    id: 'admins.create',
    allow: managers,
    request: (api) => api.post('/admins', { email: `${++created}@example.com`, password: 'long enough' }),
  },
  {
    id: 'admins.update',
    allow: everySession,
    request: (api) => api.put('/admins', { id: 'admin_0_nobody', username: 'U' }),
  },
  {
    id: 'admins.update with a role',
    allow: roleChangers,
    request: (api) => api.put('/admins', { id: 'admin_0_nobody', role: 'user' }),
  },
  {
    id: 'admins.update with a role of null',
    allow: roleChangers,
    request: (api) => api.put('/admins', { id: 'admin_0_nobody', role: null }),
  },
  { id: 'admins.delete', allow: managers, request: (api) => api.delete('/admins?id=admin_0_nobody') },
];

/** Beyond the contract: requests whose permission depends on their input. */
const byInput: readonly Line[] = [
  {
    id: 'sessions.revoke with an admin id',
    allow: managers,
    request: (api) => api.delete('/sessions?admin_id=admin_0_nobody'),
  },
  {
    id: 'events.list for tokens',
    allow: superadmins,
    request: (api) => api.get('/events/latest?types=token.created'),
  },
  {
    id: 'events.follow for sessions',
    allow: managers,
    request: (api) => api.get('/events?types=session.started'),
  },
  {
    id: 'events.follow for tokens',
    allow: superadmins,
    request: (api) => api.get('/events?types=token.created'),
  },
];

/** Refusals that depend on the row of the example, not on the role. */
const ofTheRow: readonly string[] = [commentErrors.notAuthor.text, factorErrors.wrongPassword.text];

/** Beyond the contract: the rule that an operation declares, called with its documented example. */
function lineOf({ id, method, inBody, path, allow, example, errors = [] }: Operation): Line {
  const input = (example?.input ?? {}) as Record<string, string>;
  const relative = path.replace('/api/admin', '');
  const query = new URLSearchParams(input).toString();
  return {
    id,
    allow: allow.to === 'roles' ? { roles: allow.roles, otherwise: allow.otherwise.text } : everySession,
    errors: errors
      .filter(({ code, text }) => code !== 'forbidden' || ofTheRow.includes(text))
      .map(({ text }) => text),
    request: (api) => {
      const target = readsQuery({ method, inBody }) && query !== '' ? `${relative}?${query}` : relative;
      if (method === 'GET') return api.get(target);
      if (method === 'DELETE') return api.delete(target, inBody ? input : undefined);
      if (method === 'PATCH') return api.patch(target, input);
      return method === 'POST' ? api.post(target, input) : api.put(target, input);
    },
  };
}

const listed = new Set(ofTheContract.map(({ id }) => id));
const beyondTheContract = registry
  .filter(({ id, allow }) => allow.to !== 'anyone' && !listed.has(id))
  .map(lineOf);

// session.delete comes last, because it ends the session of the request.
const lines = [...ofTheContract, ...byInput, ...beyondTheContract];

const apis: Record<string, Api> = {};

beforeAll(async () => {
  const { service } = backoffice;
  // The documented examples use these rows.
  await backoffice.sql(
    "insert into conversations (id, visitor_email, visitor_name) values ('conv_1769851800000_k3x9a2b', 'v@example.com', 'V')",
  );
  await backoffice.sql("insert into issues (id, title) overriding system value values (7, 'T')");
  for (const role of roles) apis[role] = apiAs(service.url, await service.signIn(role));
});

test('section 5: only signing in, what the link of a mail leads to, and asking as a device is open to anyone', () => {
  expect(registry.filter(({ allow }) => allow.to === 'anyone').map(({ id }) => id)).toEqual([
    'invitations.accept',
    'device.create',
    'device.token',
    'session.create',
    'session.verify',
    'passwordReset.create',
    'passwordReset.confirm',
  ]);
});

describe.each(lines)('section 5: $id', ({ allow, request, errors = [] }) => {
  test('without a session is 401 Unauthorized', async () => {
    expect(await request(apiAs(backoffice.service.url))).toEqual(errorResponse(401, 'Unauthorized'));
  });

  test.for(roles)('as %s', async (role) => {
    const answer = await request(apis[role] as Api);
    if (!allow.roles.includes(role)) expect(answer).toEqual(errorResponse(403, allow.otherwise));
    else if (answer.status !== 200) expect(errors).toContain((answer.body as { error: string }).error);
  });
});
