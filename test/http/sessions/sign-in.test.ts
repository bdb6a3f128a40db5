import { beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../../support/here/accounts.ts';
import { backofficeHere, openSession, password } from '../../support/here.ts';

const backoffice = backofficeHere();
const credentials = { email: 'grace@example.com', password };
const inactive = 'inactive@example.com';
const passwordless = 'passwordless@example.com';

beforeAll(async () => {
  await backoffice.service.signIn('user', credentials.email);
  await backoffice.service.signIn('user', inactive);
  await backoffice.sql('update admins set is_active = 0 where email = $1', [inactive]);
  await backoffice.sql(`insert into admins (email, username) values ($1, 'nobody')`, [passwordless]);
});

describe('a successful sign-in', () => {
  test('returns the admin without secrets', async () => {
    const response = await signIn(backoffice.service, credentials);
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      success: true,
      admin: {
        id: expect.stringMatching(/^admin_\d+_[0-9a-z]{6}$/),
        email: credentials.email,
        username: 'grace',
        role: 'user',
      },
    });
  });

  test('accepts the e-mail in any case, with spaces around it', async () => {
    const response = await signIn(backoffice.service, { ...credentials, email: '  GRACE@Example.COM\n' });
    expect(response.status).toBe(200);
  });

  test('does not trim the password', async () => {
    const response = await signIn(backoffice.service, { ...credentials, password: ` ${password}` });
    expect(response.status).toBe(401);
  });

  test('starts a new session and ends the one of the cookie that was sent', async () => {
    const previous = await openSession(backoffice.service.url, credentials.email);
    const response = await signIn(backoffice.service, credentials, { cookie: previous });
    const given = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(given).not.toBe(previous);
    expect(
      (await backoffice.service.fetch('/api/admin/session', { headers: { cookie: given } })).status,
    ).toBe(200);
    expect(
      (await backoffice.service.fetch('/api/admin/session', { headers: { cookie: previous } })).status,
    ).toBe(401);
  });
});

const refused: readonly [name: string, body: unknown][] = [
  ['an unknown account', { email: 'nobody@example.com', password }],
  ['a wrong password', { ...credentials, password: 'wrong horse' }],
  ['an inactive admin', { email: inactive, password }],
  ['an account without a password', { email: passwordless, password: '' }],
  ['no e-mail', { password }],
  ['no password', { email: credentials.email }],
  ['an e-mail that is a number', { email: 1, password }],
  ['a password that is an object', { ...credentials, password: { $ne: '' } }],
  ['a password that is null', { ...credentials, password: null }],
  ['a body that is a list', [credentials]],
  ['a body that is null', null],
];

describe('a failed sign-in', () => {
  test.for(refused)('has the same answer for %s, byte for byte', async ([, body]) => {
    const response = await signIn(backoffice.service, body);
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('{"error":"Invalid email or password."}');
    expect(comparableHeaders(response)).toStrictEqual(
      comparableHeaders(
        await signIn(backoffice.service, { email: `${crypto.randomUUID()}@example.com`, password }),
      ),
    );
    expect(response.headers.getSetCookie()).toStrictEqual([]);
  });

  test('keeps the session of its cookie', async () => {
    const cookie = await openSession(backoffice.service.url, credentials.email);
    const response = await signIn(
      backoffice.service,
      { ...credentials, password: 'wrong horse' },
      { cookie },
    );
    expect(response.status).toBe(401);
    expect((await backoffice.service.fetch('/api/admin/session', { headers: { cookie } })).status).toBe(200);
  });
});

/** Returns the headers that are the same for equal answers. */
function comparableHeaders({ headers }: Response): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
}
