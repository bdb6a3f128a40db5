import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { selectIntakeLikeTokens } from '../../../src/db/tables/accounts/api-tokens.ts';
import { ask, postWithKey, replayOf } from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice);
const strict = instanceHere(backoffice, { BACKOFFICE_STRICT_ROLES: '1' });

type Wanted = Partial<InputOf<'tokens.create'>>;

let names = 0;

const create = (someone: Pick<SignedIn, 'client'>, wanted: Wanted = {}) =>
  someone.client.call('tokens.create', { name: `token ${++names}`, ...wanted });

let ada: SignedIn;

beforeEach(async () => {
  ada = await backoffice.service.signIn('admin');
});

const withToken = (token: string, { url } = backoffice.service) => createClient({ baseUrl: url, token });

const statusWith = async (authorization: string, service = backoffice.service, path = '/api/admin/session') =>
  (await service.fetch(path, { headers: { authorization } })).status;

/** Returns the statuses that a token gets on each of two instances. */
const statusesOf = (token: string, path?: string) =>
  Promise.all([backoffice.service, second].map((service) => statusWith(`Bearer ${token}`, service, path)));

const forbidden = (message: string) => ({ status: 403, message });

describe('a token of an admin', () => {
  test('acts as the admin, and the trail says with which token', async () => {
    const { token, secret } = await create(ada, { name: '  laptop ', role: 'admin', expires_days: 7 });
    expect(token).toMatchObject({
      name: 'laptop',
      role: 'admin',
      read_only: false,
      state: 'valid',
      last_used_at: null,
      owner: { id: ada.id, email: ada.email },
    });
    expect(Date.parse(token.expires_at ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    const client = withToken(secret);
    expect(await client.call('session.show')).toMatchObject({
      admin: { id: ada.id, role: 'admin' },
      expires_at: null,
    });
    const { id: issue_id } = await client.call('issues.create', { title: 'By a token' });
    const { comment } = await client.call('comments.create', { issue_id, content: 'Mine' });
    await ada.client.call('comments.update', { id: comment.id, content: 'Mine still' });
    const records = async () =>
      (await backoffice.superadmin.client.call('audit.list', { event: 'issue.created' })).audit;
    const actor_name = `${ada.email} (token:laptop)`;
    await expect.poll(records).toMatchObject([{ actor_kind: 'admin', actor_id: ada.id, actor_name }]);
  });

  test('has at most the role of the admin, now and later, on every instance', async () => {
    const tooMuch = forbidden('A token can have at most your own role.');
    await expect(create(ada, { role: 'superadmin' })).rejects.toMatchObject(tooMuch);
    const { secret } = await create(ada, { role: 'admin' });
    const managed = '/api/admin/sessions';
    expect(await statusesOf(secret, managed)).toEqual([200, 200]);
    await backoffice.superadmin.client.call('admins.update', { id: ada.id, role: 'user' });
    expect(await statusesOf(secret, managed)).toEqual([403, 403]);
    expect((await withToken(secret).call('tokens.list')).tokens[0]?.role).toBe('user');
    await backoffice.sql(`update admins set role = 'superadmin' where id = $1`, [ada.id]);
    expect(await statusesOf(secret, managed)).toEqual([200, 200]);
    expect((await withToken(secret).call('session.show')).admin?.role).toBe('admin');
  });

  test.for<[how: string, end: (id: string) => Promise<unknown>]>([
    ['is deleted', (id) => backoffice.api.delete(`/admins?id=${id}`)],
    ['is deactivated by SQL', (id) => backoffice.sql('update admins set is_active = 0 where id = $1', [id])],
  ])('ends when the admin %s, also when it is activated again', async ([, end]) => {
    const { token, secret } = await create(ada, { expires_days: null });
    expect(await statusesOf(secret)).toEqual([200, 200]);
    await end(ada.id);
    await backoffice.sql('update admins set is_active = 1 where id = $1', [ada.id]);
    expect(await statusesOf(secret)).toEqual([401, 401]);
    const { tokens } = await backoffice.superadmin.client.call('tokens.list', { q: ada.id });
    expect(tokens).toMatchObject([{ id: token.id, state: 'revoked' }]);
  });

  test('that may only read changes nothing, but can revoke itself', async () => {
    const [first, other] = [await create(ada, { read_only: true }), await create(ada)];
    const client = withToken(first.secret);
    expect(await client.call('issues.list')).toHaveProperty('issues');
    const readOnly = forbidden('This API token may only read.');
    await expect(client.call('issues.create', { title: 'T' })).rejects.toMatchObject(readOnly);
    await expect(client.call('tokens.revoke', { id: other.token.id })).rejects.toMatchObject(readOnly);
    await client.call('tokens.revoke', { id: first.token.id });
    expect(await statusesOf(first.secret)).toEqual([401, 401]);
    expect(await statusesOf(other.secret)).toEqual([200, 200]);
  });

  test('is seen, valid ones first, and revoked by its owner and by superadmins, and by nobody else', async () => {
    const bob = await backoffice.service.signIn('admin');
    const { token, secret } = await create(ada);
    const shell = await backoffice.service.createToken('user');
    const idsOf = async ({ client }: Pick<SignedIn, 'client'>) =>
      (await client.call('tokens.list')).tokens.map(({ id }) => id);
    expect(await idsOf(ada)).toEqual([token.id]);
    expect(await idsOf(bob)).toEqual([]);
    expect(await idsOf({ client: withToken(shell.secret) })).toEqual([shell.token.id]);
    expect(await idsOf(backoffice.superadmin)).toEqual(expect.arrayContaining([token.id, shell.token.id]));
    for (const id of [token.id, shell.token.id, 999_999]) await bob.client.call('tokens.revoke', { id });
    expect(await statusesOf(secret)).toEqual([200, 200]);
    await backoffice.superadmin.client.call('tokens.revoke', { id: token.id });
    expect(await statusesOf(secret)).toEqual([401, 401]);
    expect((await ada.client.call('tokens.list')).tokens).toMatchObject([{ id: token.id, state: 'revoked' }]);
    const [older, newer] = [await create(ada), await create(ada)];
    await ada.client.call('tokens.revoke', { id: newer.token.id });
    expect(await idsOf(ada)).toEqual([older.token.id, newer.token.id, token.id]);
  });
});

test('a token that only sends data in is listed as that, and doctor names others that only did so', async () => {
  const website = await create(ada, { scope: 'intake', expires_days: null });
  expect(website.token.scope).toBe('intake');
  const [reader, sender] = [await create(ada), await create(ada)];
  const { tokens } = await ada.client.call('tokens.list');
  expect(tokens.map((token) => 'scope' in token)).toEqual([false, false, true]);

  for (const { secret } of [website, reader, sender])
    await withToken(secret).call('issues.create', { title: 'From the website' });
  await withToken(reader.secret).call('session.show');
  const { fetch, services } = backoffice.service;
  const mcp = { method: 'POST', headers: { authorization: `Bearer ${website.secret}` } };
  expect((await fetch('/api/mcp', mcp)).status).toBe(403);
  const named = async () => (await selectIntakeLikeTokens(services.databases.primary)).map(({ id }) => id);
  const ours = [website, reader, sender].map(({ token }) => token.id);
  await expect.poll(async () => (await named()).filter((id) => ours.includes(id))).toEqual([sender.token.id]);
});

test('the name of a token is unique among the tokens of an owner that are not revoked, also in parallel', async () => {
  const bob = await backoffice.service.signIn('user');
  const tried = await Promise.allSettled(Array.from({ length: 8 }, () => create(ada, { name: 'ci' })));
  const made = tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(made).toHaveLength(1);
  const taken = { status: 409, message: 'There is already a token with this name.' };
  for (const each of tried) if (each.status === 'rejected') expect(each.reason).toMatchObject(taken);
  await create(bob, { name: 'ci' });
  await ada.client.call('tokens.revoke', { id: made[0]?.token.id ?? 0 });
  const { token } = await create(ada, { name: 'ci' });
  await backoffice.sql('update api_tokens set expires_at = now() where id = $1', [token.id]);
  await create(ada, { name: 'ci' });
  await expect(create(ada, { name: ' ci ' })).rejects.toMatchObject(taken);
  await create(ada, { name: 'caf\u00e9' });
  await expect(create(ada, { name: 'cafe\u0301' })).rejects.toMatchObject(taken);
});

test('an owner has a hundred tokens at most', async () => {
  await backoffice.sql(
    `insert into api_tokens (name, token_hash, role, owner_id)
     select 'token ' || n, sha256(('of many ' || n)::bytea), 'user', $1 from generate_series(1, 100) as n`,
    [ada.id],
  );
  const tooMany = { status: 409, message: expect.stringMatching(/Revoke one first\.$/) };
  await expect(create(ada)).rejects.toMatchObject(tooMany);
});

describe('a token that a token has created', () => {
  test('has the same owner, expires no later, and ends with it', async () => {
    const parent = await create(ada, { expires_days: 1 });
    const wanted = { name: 'child', expires_days: null };
    const child = await withToken(parent.secret).call('tokens.create', wanted);
    expect(child.token).toMatchObject({ owner: parent.token.owner, expires_at: parent.token.expires_at });
    const grandchild = await withToken(child.secret).call('tokens.create', { name: 'grandchild' });
    await ada.client.call('tokens.revoke', { id: parent.token.id });
    for (const { secret } of [parent, child, grandchild])
      expect(await statusesOf(secret)).toEqual([401, 401]);
  });

  test('is revoked by it, also if it belongs to nobody', async () => {
    const shell = await backoffice.service.createToken('admin');
    const client = withToken(shell.secret);
    const child = await client.call('tokens.create', { name: 'of a script' });
    await client.call('tokens.revoke', { id: child.token.id });
    expect(await statusesOf(child.secret)).toEqual([401, 401]);
    expect(await statusesOf(shell.secret)).toEqual([200, 200]);
  });

  test('is impossible with strict roles, and so is revoking others', async () => {
    const [own, other] = [await create(backoffice.superadmin, { role: 'superadmin' }), await create(ada)];
    const client = withToken(own.secret, strict);
    const refused = forbidden('API tokens cannot create or revoke other tokens.');
    await expect(client.call('tokens.create', { name: 'more' })).rejects.toMatchObject(refused);
    await expect(client.call('tokens.revoke', { id: other.token.id })).rejects.toMatchObject(refused);
    await client.call('tokens.revoke', { id: own.token.id });
    expect(await statusesOf(own.secret)).toEqual([401, 401]);
  });
});

test('the secret is in no audit record, event, stored answer or row, and a repeated request gets it again', async () => {
  const { service, superadmin } = backoffice;
  const send = () => postWithKey(service.url, superadmin, '/tokens', { name: 'kept secret' }, 'my own key');
  const first = await send();
  expect(await send()).toEqual(replayOf(first));
  const { secret } = JSON.parse(first.text) as { secret: string };
  const stored = await backoffice.sql<{ text: string }>(`
    select t::text as text from audit_records as t union all select t::text from api_tokens as t
    union all select t::text from events as t union all select t::text from recorded_changes as t
    union all select encode(id || fingerprint || answer, 'escape') from idempotency_keys
  `);
  expect(stored.length).toBeGreaterThan(3);
  for (const hidden of [secret.slice(3), 'my own key'])
    expect(stored.filter(({ text }) => text.includes(hidden))).toEqual([]);
});

describe('a token of the shell, which belongs to nobody,', () => {
  test('has no account and no session: no profile, and a sign-out succeeds and leaves it valid', async () => {
    const client = withToken((await backoffice.service.createToken('user')).secret);
    expect((await client.call('settings.show', { section: 'profile' })).profile).toBeNull();
    expect(await client.call('session.delete')).toStrictEqual({ success: true });
    const nobody = { success: true, admin: null, expires_at: null, idle_expires_at: null };
    expect(await client.call('session.show')).toStrictEqual(nobody);
    expect(await client.call('sessions.listOwn')).toEqual({ sessions: [] });
    expect(await client.call('sessions.revokeOwn', { others: '1' })).toMatchObject({ success: true });
  });

  test('is 32 random bytes, and the database stores only their SHA-256', async () => {
    const { token, secret } = await backoffice.service.createToken('user');
    expect(secret).toMatch(/^bo_[\w-]{43}$/);
    const [row] = await backoffice.sql('select *, t::text as everything from api_tokens t where id = $1', [
      token.id,
    ]);
    expect(row?.token_hash).toStrictEqual(createHash('sha256').update(secret).digest());
    expect(row?.everything).not.toContain(secret.slice('bo_'.length));
    expect((await backoffice.service.createToken('user')).secret).not.toBe(secret);
  });

  test('has its last use recorded once a minute, however many requests it makes', async () => {
    const { token, secret } = await backoffice.service.createToken('user');
    const use = () => statusWith(`bearer ${secret}`);
    const version = async () =>
      (await backoffice.sql('select last_used_at, xmin::text from api_tokens where id = $1', [token.id]))[0];
    expect((await version())?.last_used_at).toBeNull();
    // The scheme may have any case.
    expect(await use()).toBe(200);
    // No request waits for it.
    await expect.poll(async () => (await version())?.last_used_at).toBeInstanceOf(Date);
    const used = await version();
    await use();
    expect(await version()).toStrictEqual(used);
    await backoffice.sql(`update api_tokens set last_used_at = now() - interval '61 seconds'`);
    await use();
    await expect
      .poll(async () => (await version())?.last_used_at.getTime())
      .toBeGreaterThan(Date.now() - 30_000);
  });

  test('works until it expires', async () => {
    const { token, secret } = await backoffice.service.createToken('user');
    const expire = (at: string) =>
      backoffice.sql(`update api_tokens set expires_at = ${at} where id = $1`, [token.id]);
    await expire(`now() + interval '1 hour'`);
    expect(await statusesOf(secret)).toEqual([200, 200]);
    await expire('now()');
    expect(await statusesOf(secret)).toEqual([401, 401]);
  });
});

test('a request with an invalid token receives the usual 401, and does not fall back to its cookie', async () => {
  const { service, superadmin } = backoffice;
  const { secret } = await service.createToken('superadmin');
  const unknown = `Bearer bo_${'A'.repeat(43)}`;
  for (const headers of [
    { authorization: unknown, cookie: superadmin.cookie },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${secret} ${secret}` },
    { authorization: `Bearer ${secret.slice(0, -2)}~~` },
    { authorization: `Bearer ${secret.toUpperCase()}` },
    { authorization: `Basic ${btoa(`token:${secret}`)}` },
  ]) {
    const answer = await ask(service, '/api/admin/session', { headers });
    expect([answer.status, answer.text], headers.authorization).toEqual([401, '{"error":"Unauthorized"}']);
  }
});
