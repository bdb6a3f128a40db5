import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../src/contract/vocabulary.ts';
import {
  type Api,
  type ApiResponse,
  apiAs,
  bearer,
  type Caller,
  callTool,
  connectOverHttp,
  errorResponse,
  success,
} from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, password, type SignedIn, startInstance } from '../../support/here.ts';

const newPassword = 'another battery staple';

const above = errorResponse(403, 'You cannot change an admin whose role is above yours.');
const others = errorResponse(
  403,
  'Only superadmin can delete another admin, or change its e-mail, password, role or activity.',
);
const roleIsSuperadmins = errorResponse(403, 'Only superadmin can change roles.');
const insufficient = errorResponse(403, 'Insufficient permissions.');
const notByToken = errorResponse(
  403,
  'An API token cannot change the e-mail, password or role of an admin. Sign in, or run the command on the server.',
);

const onlySuperadminCreates = errorResponse(403, 'Only superadmin can create a superadmin.');

const backoffice = backofficeHere({ BACKOFFICE_STRICT_ROLES: '1' });
const { sql } = backoffice;
const team = {} as Record<Role, SignedIn>;
const as = (caller: Caller) => apiAs(backoffice.service.url, caller);

beforeAll(async () => {
  const { service } = backoffice;
  for (const role of ['superadmin', 'admin', 'user'] as const) team[role] = await service.signIn(role);
});

/** Inserts an account, as an operator would. */
async function insertTarget(role: Role): Promise<string> {
  const id = `admin_${crypto.randomUUID()}`;
  const insert = 'insert into admins (id, email, username, role) values ($1, $2, $1, $3)';
  await sql(insert, [id, `${id}@x.test`, role]);
  return id;
}

const changes = {
  username: (api: Api, id: string) => api.put('/admins', { id, username: 'Renamed' }),
  email: (api: Api, id: string) => api.put('/admins', { id, email: `new-${id}@x.test` }),
  password: (api: Api, id: string) => api.put('/admins', { id, password: newPassword }),
  role: (api: Api, id: string, of: Role) =>
    api.put('/admins', { id, role: of === 'user' ? 'admin' : 'user' }),
  activity: (api: Api, id: string) => api.put('/admins/activity', { id, is_active: 0 }),
  deletion: (api: Api, id: string) => api.delete(`/admins?id=${id}`),
};

type Answers = Readonly<Record<keyof typeof changes, ApiResponse>>;

const each = (answer: ApiResponse) =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, answer])) as Answers;
const allowed = each(success);
const adminOnOthers: Answers = { ...each(others), username: success, role: roleIsSuperadmins };
const adminOnAbove: Answers = { ...each(above), role: roleIsSuperadmins };
const userOnPeer: Answers = { ...adminOnOthers, activity: insufficient, deletion: insufficient };
const userOnAbove: Answers = { ...adminOnAbove, activity: insufficient, deletion: insufficient };

describe('a change of another admin, with strict roles', () => {
  test.for<[Role, Role, Answers]>([
    ['superadmin', 'superadmin', allowed],
    ['superadmin', 'admin', allowed],
    ['superadmin', 'user', allowed],
    ['admin', 'superadmin', adminOnAbove],
    ['admin', 'admin', adminOnOthers],
    ['admin', 'user', adminOnOthers],
    ['user', 'superadmin', userOnAbove],
    ['user', 'admin', userOnAbove],
    ['user', 'user', userOnPeer],
  ])('by %s of %s', async ([by, of, answers]) => {
    const api = as(team[by]);
    for (const [name, change] of Object.entries(changes)) {
      const id = await insertTarget(of);
      const stored = () => sql('select * from admins where id = $1', [id]);
      const before = await stored();
      const expected = answers[name as keyof typeof changes];
      expect({ [name]: await change(api, id, of) }).toEqual({ [name]: expected });
      const after = await stored();
      if (expected === success) expect(after).not.toEqual(before);
      else expect(after).toEqual(before);
    }
  });

  test('may send the e-mail that the admin has', async () => {
    const id = await insertTarget('user');
    const form = { id, email: `${id}@X.test `, username: 'Renamed' };
    expect(await as(team.admin).put('/admins', form)).toEqual(success);
  });

  test.for([
    ['', () => backoffice.service.createToken('superadmin')],
    [
      ' who is a person',
      () => team.superadmin.client.call('tokens.create', { name: 'own', role: 'superadmin' }),
    ],
  ] as const)('by an API token of a superadmin%s never concerns credentials', async ([, createToken]) => {
    const { secret } = await createToken();
    const api = as(bearer(secret));
    for (const [name, change] of Object.entries(changes)) {
      const isCredential = ['email', 'password', 'role'].includes(name);
      const answer = await change(api, await insertTarget('user'), 'user');
      expect({ [name]: answer }).toEqual({ [name]: isCredential ? notByToken : success });
    }
    const superadmin = { email: 'token-made@x.test', password: newPassword, role: 'superadmin' };
    const notCreated = 'An API token cannot create a superadmin. Sign in, or run the command on the server.';
    expect(await api.post('/admins', superadmin)).toEqual(errorResponse(403, notCreated));
    const invited = { email: 'invited@x.test', role: 'superadmin' };
    expect(await api.post('/invitations', invited)).toEqual(errorResponse(403, notCreated));
  });
});

describe('without strict roles, an API token', () => {
  const lenient = instanceHere(backoffice, {
    BACKOFFICE_STRICT_ROLES: '0',
    BACKOFFICE_MCP_ALLOW: 'admins.update',
  });
  const byRole = Object.entries({ user: [above, insufficient], admin: [above, above] } as const);

  test.for(byRole)(
    'of a %s takes over nobody, with an owner or without',
    async ([name, [change, deletion]]) => {
      const role = name as Role;
      const owned = await team[role].client.call('tokens.create', { name: crypto.randomUUID(), role });
      for (const { secret } of [owned, await lenient.createToken(role)]) {
        const api = apiAs(lenient.url, bearer(secret));
        const id = await insertTarget('superadmin');
        for (const fields of [{ password: newPassword }, { email: `taken-${id}@x.test` }])
          expect(await api.put('/admins', { id, ...fields })).toEqual(change);
        expect(await api.delete(`/admins?id=${id}`)).toEqual(deletion);
        expect(await api.put('/admins/activity', { id, is_active: 0 })).toEqual(deletion);
        expect(await api.delete(`/sessions?admin_id=${team.superadmin.id}`)).toEqual(deletion);
        const made = { email: 'made@x.test', password: newPassword, role: 'superadmin' };
        const created = role === 'user' ? insufficient : onlySuperadminCreates;
        expect(await api.post('/admins', made)).toEqual(created);
        expect(await api.post('/invitations', { email: 'asked@x.test', role: 'superadmin' })).toEqual(
          created,
        );
        const peer = { id: await insertTarget(role), password: newPassword };
        expect(await api.put('/admins', peer)).toEqual(notByToken);
        const agent = await connectOverHttp(lenient.url, secret);
        const told = await callTool(agent, 'admins_update', { id, password: newPassword });
        expect(told).toMatchObject({ isError: true });
        await agent.close();
      }
    },
  );

  test('of a superadmin changes no credentials, which a session of a user still does', async () => {
    const { secret } = await lenient.createToken('superadmin');
    const change = { id: await insertTarget('superadmin'), password: newPassword };
    expect(await apiAs(lenient.url, bearer(secret)).put('/admins', change)).toEqual(notByToken);
    expect(await apiAs(lenient.url, team.user).put('/admins', change)).toEqual(success);
  });
});

describe("a change of one's own account, with strict roles", () => {
  const missing = errorResponse(
    403,
    'Your own e-mail and password need your current password. Send it as current_password.',
  );
  const wrong = errorResponse(403, 'The current password is wrong.');

  test('needs the current password for the e-mail and the password, and for nothing else', async () => {
    const me = await backoffice.service.signIn('user');
    const put = (fields: object) => as(me).put('/admins', { id: me.id, ...fields });
    for (const fields of [{ email: 'renamed-user@x.test' }, { password: newPassword }]) {
      expect(await put(fields)).toEqual(missing);
      expect(await put({ ...fields, current_password: 1 })).toEqual(missing);
      expect(await put({ ...fields, current_password: newPassword })).toEqual(wrong);
      expect(await put({ ...fields, current_password: password })).toEqual(success);
    }
    expect(await put({ username: 'Me', email: 'renamed-user@x.test' })).toEqual(success);
  });

  test('is not made by a token of the account, which cannot guess the current password either', async () => {
    const me = await backoffice.service.signIn('user');
    const { secret } = await me.client.call('tokens.create', { name: 'own' });
    const put = (fields: object) => as(bearer(secret)).put('/admins', { id: me.id, ...fields });
    for (const current_password of ['wrong guess', password])
      for (const fields of [{ password: newPassword }, { email: 'by-token@x.test' }])
        expect(await put({ ...fields, current_password })).toEqual(notByToken);
    expect(await put({ username: 'Me' })).toEqual(success);
  });

  test('is no way to guess the current password without end', async () => {
    const me = await backoffice.service.signIn('user');
    const guess = { id: me.id, email: 'taken-over@x.test', current_password: 'wrong guess' };
    const put = () => as(me).put('/admins', guess);
    for (let count = 0; count < 10; count++) expect(await put()).toEqual(wrong);
    expect(await put()).toEqual(errorResponse(429, 'Too many sign-in attempts. Try again later.'));
  });
});

describe('an admin, with strict roles,', () => {
  const refusal = (message: string) => ({ status: 403, message });

  test('ends no session of an admin of a higher role', async () => {
    const { superadmin, admin } = team;
    const refused = refusal('You cannot change an admin whose role is above yours.');
    const { sessions } = await superadmin.client.call('sessions.list');
    const { id } = sessions.find(({ admin_id }) => admin_id === superadmin.id) ?? {};
    for (const input of [{ id }, { admin_id: superadmin.id }])
      await expect(admin.client.call('sessions.revoke', input)).rejects.toMatchObject(refused);
    await superadmin.client.call('session.show');
    const other = await backoffice.service.signIn('user');
    await admin.client.call('sessions.revoke', { admin_id: other.id });
    await expect(other.client.call('session.show')).rejects.toMatchObject({ status: 401 });
  });

  test('creates admins and users, and a superadmin any role', async () => {
    const create = (by: SignedIn, role: string) =>
      by.client.call('admins.create', { email: `${crypto.randomUUID()}@x.test`, password, role });
    await expect(create(team.admin, 'superadmin')).rejects.toMatchObject(
      refusal('Only superadmin can create a superadmin.'),
    );
    for (const role of ['admin', 'user']) await create(team.admin, role);
    expect((await create(team.superadmin, 'superadmin')).admin.role).toBe('superadmin');
  });
});

test('without strict roles, the current password is ignored, and no superadmin need be left', async () => {
  const lenient = await startInstance(backoffice);
  const { id } = team.user;
  const api = apiAs(lenient.url, team.user);
  for (const current_password of ['wrong', {}])
    expect(await api.put('/admins', { id, email: 'mine@y.test', current_password })).toEqual(success);

  const { client } = await lenient.signIn('superadmin');
  const superadmins = async () =>
    (await client.call('admins.list')).admins.filter(({ role }) => role === 'superadmin');
  // Its own role is the last.
  for (const { id } of await superadmins()) await client.call('admins.update', { id, role: 'user' });
  expect(await superadmins()).toEqual([]);
});

describe('the last active superadmin', () => {
  const strict = backofficeHere({ BACKOFFICE_STRICT_ROLES: '1' });
  const demote = (by: SignedIn, { id }: SignedIn) => by.client.call('admins.update', { id, role: 'user' });

  test('cannot give up its role, beside an inactive one too, but can change everything else', async () => {
    const { superadmin: last, service } = strict;
    const { id } = await service.signIn('superadmin');
    await strict.sql('update admins set is_active = 0 where id = $1', [id]);
    await expect(demote(last, last)).rejects.toMatchObject({
      status: 403,
      message: 'The last active superadmin cannot be removed, deactivated or demoted.',
    });
    const same = { id: last.id, role: 'superadmin', username: 'First' };
    expect(await last.client.call('admins.update', same)).toStrictEqual({ success: true });
  });

  test('is one of two who demote each other at the same time', async () => {
    const { superadmin: last, service } = strict;
    const other = await service.signIn('superadmin');
    const outcomes = await Promise.allSettled([demote(last, other), demote(other, last)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
