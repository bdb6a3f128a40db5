import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { createApiToken, revokeApiToken } from '../../support/here/tokens.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

function create(role: Role = 'user', expiresAt: string | null = null) {
  const db = backoffice.service.services.databases.primary;
  return createApiToken(db, { name: `a ${role}'s`, role, createdBy: 'tests', expiresAt });
}

const clientOf = (token: string) => createClient({ baseUrl: backoffice.service.url, token });

function fetchWith(authorization: string, method = 'GET', path = '/api/admin/session'): Promise<Response> {
  return backoffice.service.fetch(path, { method, headers: { authorization } });
}

describe('an API token', () => {
  test.for(roles)('has the authority of its role: %s', async (role) => {
    const client = clientOf((await create(role)).secret);
    expect((await client.call('issues.list')) as object).toHaveProperty('issues');
    const deletion = client.call('admins.delete', { id: 'admin_1' });
    if (role === 'user') await expect(deletion).rejects.toMatchObject({ status: 403 });
    else expect(await deletion).toStrictEqual({ success: true });
    const roleChange = client.call('admins.update', { id: 'admin_1', role: 'user' });
    if (role === 'superadmin') expect(await roleChange).toStrictEqual({ success: true });
    else await expect(roleChange).rejects.toMatchObject({ status: 403 });
  });

  test('has no account: no profile, and no admin in its session', async () => {
    const client = clientOf((await create()).secret);
    expect((await client.call('settings.show', { section: 'profile' })).profile).toBeNull();
    expect(await client.call('session.show')).toStrictEqual({
      success: true,
      admin: null,
      expires_at: null,
      idle_expires_at: null,
    });
  });

  test('has no session to end: a sign-out succeeds, and it stays valid', async () => {
    const { secret } = await create();
    expect(await clientOf(secret).call('session.delete')).toStrictEqual({ success: true });
    expect((await fetchWith(`Bearer ${secret}`)).status).toBe(200);
  });

  test('is 32 random bytes, and the database stores only their SHA-256', async () => {
    const { token, secret } = await create();
    expect(secret).toMatch(/^bo_[\w-]{43}$/);
    const [row] = await backoffice.sql(
      'select *, api_tokens::text as everything from api_tokens where id = $1',
      [token.id],
    );
    expect(row?.token_hash).toStrictEqual(createHash('sha256').update(secret).digest());
    expect(row?.everything).not.toContain(secret.slice('bo_'.length));
    expect((await create()).secret).not.toBe(secret);
  });

  test('has its last use recorded once a minute, however many requests it makes', async () => {
    const { token, secret } = await create();
    const version = async () =>
      (await backoffice.sql('select last_used_at, xmin::text from api_tokens where id = $1', [token.id]))[0];
    expect((await version())?.last_used_at).toBeNull();
    await Promise.all(Array.from({ length: 10 }, () => fetchWith(`Bearer ${secret}`)));
    const used = await version();
    expect(used?.last_used_at).toBeInstanceOf(Date);
    for (let request = 0; request < 5; request++) await fetchWith(`Bearer ${secret}`);
    expect(await version()).toStrictEqual(used);
    await backoffice.sql(`update api_tokens set last_used_at = now() - interval '61 seconds' where id = $1`, [
      token.id,
    ]);
    await fetchWith(`Bearer ${secret}`);
    expect((await version())?.last_used_at.getTime()).toBeGreaterThan(Date.now() - 30_000);
  });

  test('is accepted with the scheme in any case', async () => {
    expect((await fetchWith(`bearer ${(await create()).secret}`)).status).toBe(200);
  });

  test.for<[what: string, end: (id: number) => Promise<unknown>]>([
    ['expires', (id) => backoffice.sql(`update api_tokens set expires_at = now() where id = $1`, [id])],
    ['is revoked', (id) => revokeApiToken(backoffice.service.services.databases.primary, id, 'tests')],
  ])('works until it %s', async ([, end]) => {
    const { token, secret } = await create('user', new Date(Date.now() + 3_600_000).toISOString());
    expect((await fetchWith(`Bearer ${secret}`)).status).toBe(200);
    await end(token.id);
    expect((await fetchWith(`Bearer ${secret}`)).status).toBe(401);
  });
});

describe('a request with an invalid token', () => {
  test.for([
    ['an unknown token', () => `Bearer bo_${'A'.repeat(43)}`],
    ['a token of another service', () => 'Bearer ghp_0123456789'],
    ['only the prefix', () => 'Bearer bo_'],
    ['no token', () => 'Bearer'],
    ['two words', (secret: string) => `Bearer ${secret} ${secret}`],
    ['a changed character', (secret: string) => `Bearer ${secret.slice(0, -2)}~~`],
    ['another case', (secret: string) => `Bearer ${secret.toUpperCase()}`],
    ['another scheme', (secret: string) => `Basic ${btoa(`token:${secret}`)}`],
    ['only the secret', (secret: string) => secret],
  ] as const)('receives the usual 401: %s', async ([, header]) => {
    const response = await fetchWith(header((await create('superadmin')).secret));
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('{"error":"Unauthorized"}');
  });

  test('does not fall back to its cookie', async () => {
    const response = await backoffice.service.fetch('/api/admin/session', {
      headers: { authorization: `Bearer bo_${'A'.repeat(43)}`, cookie: backoffice.superadmin.cookie },
    });
    expect(response.status).toBe(401);
  });
});
