import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { backofficeHere, instanceHere, openSession, password, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere();

const overHttps = { 'x-forwarded-proto': 'https' };
const oldSecret = 'an old secret of thirty-two characters';
const newSecret = 'a new secret of thirty-two characters';
const proxied = instanceHere(backoffice, { TRUST_PROXY: '1' });
const old = instanceHere(backoffice, { SESSION_SECRET: oldSecret });
const rotated = instanceHere(backoffice, { SESSION_SECRET: `${newSecret},${oldSecret}` });
const fresh = instanceHere(backoffice, { SESSION_SECRET: newSecret });

/** Signs in and returns the cookie: its name, its value and its attributes. */
async function cookieOf(service: TestService, headers: Record<string, string> = {}) {
  const response = await signIn(service, { email: backoffice.superadmin.email, password }, headers);
  const [pair = '', ...attributes] = response.headers.getSetCookie()[0]?.split('; ') ?? [];
  const [name, value] = pair.split('=', 2);
  return {
    name,
    value,
    pair,
    attributes: attributes.toSorted(),
  };
}

describe('the session cookie', () => {
  test('is hidden from scripts and other sites, lasts for twelve hours, and is not Secure on plain HTTP', async () => {
    const { name, attributes } = await cookieOf(backoffice.service);
    expect(name).toBe('backoffice');
    expect(attributes).toStrictEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict']);
  });

  test('is Secure and bound to the host behind a trusted proxy that speaks HTTPS', async () => {
    const { name, attributes, pair } = await cookieOf(proxied, overHttps);
    expect(name).toBe('__Host-backoffice');
    expect(attributes).toStrictEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
    const answer = await proxied.fetch('/api/admin/session', { headers: { ...overHttps, cookie: pair } });
    expect(answer.status).toBe(200);
  });

  test('has its plain name for a client that only claims HTTPS', async () => {
    const { name, attributes } = await cookieOf(backoffice.service, overHttps);
    expect(name).toBe('backoffice');
    expect(attributes).not.toContain('Secure');
  });

  test('has its plain name if the trusted proxy speaks HTTP', async () => {
    const { name } = await cookieOf(proxied, { 'x-forwarded-proto': 'http' });
    expect(name).toBe('backoffice');
  });

  test('is not accepted on HTTPS under its plain name', async () => {
    const cookie = await openSession(proxied.url, backoffice.superadmin.email);
    const answer = await proxied.fetch('/api/admin/session', {
      headers: { ...overHttps, cookie },
    });
    expect(answer.status).toBe(401);
  });

  test('is removed at sign-out with the same attributes', async () => {
    const { pair } = await cookieOf(proxied, overHttps);
    const response = await proxied.fetch('/api/admin/session', {
      method: 'DELETE',
      headers: { ...overHttps, cookie: pair },
    });
    expect(await response.json()).toStrictEqual({ success: true });
    const [removal, ...attributes] = response.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(removal).toBe('__Host-backoffice=');
    expect(attributes).toContain('Expires=Thu, 01 Jan 1970 00:00:00 GMT');
    // Not the storage, which has drafts, and not the cookies of other services.
    expect(response.headers.get('clear-site-data')).toBe('"cache"');
    expect(attributes).toContain('Secure');
  });
});

describe('the signature of the cookie', () => {
  test.for([
    ['another signature', (value: string) => `${value.slice(0, -6)}AAAAAA`],
    ['no signature', (value: string) => value.split('.', 1)[0] ?? ''],
    ['no mark of a signed cookie', (value: string) => value.replace('s%3A', '')],
    ['one changed character', (value: string) => value.slice(0, -1) + (value.endsWith('A') ? 'B' : 'A')],
    ['a value that is no session', () => 's%3Anonsense.nonsense'],
    ['another id', (value: string) => value.replace(/^(s%3A)./, '$1~')],
    ['nothing', () => ''],
    ['malformed content', () => ';;;=;backoffice'],
  ] as const)('opens no session with %s', async ([, change]) => {
    const { value = '' } = await cookieOf(backoffice.service);
    expect(await statusWith(backoffice.service, `backoffice=${value}`)).toBe(200);
    expect(await statusWith(backoffice.service, `backoffice=${change(value)}`)).toBe(401);
  });

  test('is accepted from any listed secret, and made with the newest', async () => {
    const before = await openSession(old.url, backoffice.superadmin.email);
    expect(await statusWith(rotated, before)).toBe(200);
    expect(await statusWith(fresh, before)).toBe(401);
    const after = await openSession(rotated.url, backoffice.superadmin.email);
    expect(await statusWith(fresh, after)).toBe(200);
    expect(await statusWith(old, after)).toBe(401);
  });
});

describe('the id of a session', () => {
  const secret = 'a secret of thirty-two characters that this file knows';
  const own = backofficeHere({ SESSION_SECRET: secret });

  /** Returns the cookie value that the service makes from a session id. Anyone who knows its secret can make it. */
  function signed(id: string): string {
    const signature = createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '');
    return `s:${id}.${signature}`;
  }

  test('the listed id of a session is not the id in its cookie and opens no session, even if it is signed', async () => {
    const { service, superadmin } = own;
    const [session] = (await superadmin.client.call('sessions.list')).sessions;
    if (session === undefined) throw new Error('No session.');
    const value = decodeURIComponent(superadmin.cookie.slice('backoffice='.length));
    expect(value).toBe(signed(value.slice('s:'.length, value.lastIndexOf('.'))));
    expect(value).not.toContain(session.id);
    expect(await statusWith(service, `backoffice=${encodeURIComponent(value)}`)).toBe(200);
    for (const forged of [session.id, `s:${session.id}`, signed(session.id)]) {
      expect(await statusWith(service, `backoffice=${encodeURIComponent(forged)}`)).toBe(401);
    }
  });
});
