import { createHash, createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import {
  backofficeHere,
  clientWith,
  instanceHere,
  openSession,
  password,
  type TestService,
} from '../../support/here.ts';

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
  return { name, value, pair, attributes: attributes.toSorted() };
}

describe('the session cookie', () => {
  test('lasts for twelve hours, is hidden from scripts and other sites, and bound to the host behind a proxy on HTTPS', async () => {
    const { name, attributes, pair } = await cookieOf(proxied, overHttps);
    expect(name).toBe('__Host-backoffice');
    expect(attributes).toStrictEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
    const answer = await proxied.fetch('/api/admin/session', { headers: { ...overHttps, cookie: pair } });
    expect(answer.status).toBe(200);
  });

  test('has its plain name on HTTP, for a client that only claims HTTPS too, which HTTPS does not accept', async () => {
    for (const [service, headers] of [
      [backoffice.service, overHttps],
      [proxied, { 'x-forwarded-proto': 'http' }],
    ] as const) {
      const { name, attributes } = await cookieOf(service, headers);
      expect(name).toBe('backoffice');
      expect(attributes).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict']);
    }
    const { pair } = await cookieOf(proxied);
    const answer = await proxied.fetch('/api/admin/session', { headers: { ...overHttps, cookie: pair } });
    expect(answer.status).toBe(401);
  });

  test('is removed at sign-out with the same attributes', async () => {
    const { pair } = await cookieOf(proxied, overHttps);
    const init = { method: 'DELETE', headers: { ...overHttps, cookie: pair } };
    const { headers } = await proxied.fetch('/api/admin/session', init);
    expect(headers.getSetCookie()[0]?.split('; ')).toEqual(
      expect.arrayContaining(['__Host-backoffice=', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Secure']),
    );
    // Not the storage, which has drafts, and not the cookies of other services.
    expect(headers.get('clear-site-data')).toBe('"cache"');
  });
});

describe('the signature of the cookie', () => {
  test('is needed, for the id and as it was made', async () => {
    const { value = '' } = await cookieOf(backoffice.service);
    expect(await statusWith(backoffice.service, `backoffice=${value}`)).toBe(200);
    for (const forged of [
      `${value.slice(0, -6)}AAAAAA`,
      value.split('.', 1)[0],
      value.replace('s%3A', ''),
      value.replace(/^(s%3A)./, '$1~'),
      ';;;=;backoffice',
    ])
      expect(await statusWith(backoffice.service, `backoffice=${forged}`), forged).toBe(401);
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

let cookie: string;
let key: string;

beforeEach(async () => {
  await backoffice.sql('delete from sessions');
  cookie = await openSession(backoffice.service.url, backoffice.superadmin.email);
  key = createHash('sha256').update(idIn(cookie)).digest('base64url');
});

/** Returns the id in a cookie. */
const idIn = (signed: string) => /=s:(.+)\./.exec(decodeURIComponent(signed))?.[1] ?? '';

describe('the row of a session', () => {
  test('stores a hash of the id, and nothing that opens the session', async () => {
    const rows = await backoffice.sql('select * from sessions');
    expect(rows.map(({ sid }) => sid)).toStrictEqual([key]);
    expect(idIn(cookie)).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(idIn(cookie));
  });

  test('lists another id than that of the cookie, which opens no session, even if it is signed', async () => {
    const own = await openSession(old.url, backoffice.superadmin.email);
    const { sessions } = await clientWith(old.url, own).call('sessions.list', { include: 'origin' });
    const { id = '' } = sessions.find(({ is_current }) => is_current) ?? {};
    const signed = (text: string) => {
      const signature = createHmac('sha256', oldSecret).update(text).digest('base64').replace(/=+$/, '');
      return `s:${text}.${signature}`;
    };
    const statusOf = (value: string) => statusWith(old, `backoffice=${encodeURIComponent(value)}`);
    expect(await statusOf(signed(idIn(own)))).toBe(200);
    for (const forged of [id, `s:${id}`, signed(id)]) expect(await statusOf(forged)).toBe(401);
  });
});

describe('a sign-in with a session', () => {
  const signInAgain = (secret: string) =>
    signIn(backoffice.service, { email: backoffice.superadmin.email, password: secret }, { cookie });
  const ended = () =>
    backoffice.sql(`
      select operation, actor_name, before from audit_records where event = 'session.ended' and subject_id = '${key}'
    `);

  test('ends it, and records that, in the change that starts the new one', async () => {
    const response = await signInAgain(password);
    const fresh = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
    expect(await statusWith(backoffice.service, fresh)).toBe(200);
    const { id, email } = backoffice.superadmin;
    const record = { operation: 'session.create', actor_name: email, before: { admin_id: id } };
    expect(await ended()).toEqual([record]);
  });

  test('keeps it if the password is wrong', async () => {
    const response = await signInAgain('not the password');
    // No other cookie replaces it.
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
    expect(await ended()).toEqual([]);
  });
});
