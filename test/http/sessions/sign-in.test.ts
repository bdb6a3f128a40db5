import { beforeAll, describe, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { openSession, password } from '../../support/http/service.ts';
import { signIn } from '../../support/http/sign-in.ts';

const backoffice = backofficeOfThisFile();
const credentials = { email: 'grace@example.com', password };
const inactive = 'inactive@example.com';
const passwordless = 'passwordless@example.com';

beforeAll(async () => {
  await backoffice.service.signIn('user', credentials.email);
  await backoffice.service.signIn('user', inactive);
  await backoffice.sql('update admins set is_active = 0 where email = $1', [inactive]);
  await backoffice.sql(`insert into admins (email, username) values ($1, 'nobody')`, [passwordless]);
});

describe('a sign-in that succeeds', () => {
  test('tells who signed in, and nothing secret', async () => {
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

  test('takes the e-mail in any case, with spaces around it', async () => {
    const response = await signIn(backoffice.service, { ...credentials, email: '  GRACE@Example.COM\n' });
    expect(response.status).toBe(200);
  });

  test('takes the password as it is: spaces around it count', async () => {
    const response = await signIn(backoffice.service, { ...credentials, password: ` ${password}` });
    expect(response.status).toBe(401);
  });

  test('makes a new session each time, and ends the one whose cookie was sent', async () => {
    const planted = await openSession(backoffice.service.url, credentials.email);
    const response = await signIn(backoffice.service, credentials, { cookie: planted });
    const given = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(given).not.toBe(planted);
    expect(
      (await backoffice.service.fetch('/api/admin/session', { headers: { cookie: given } })).status,
    ).toBe(200);
    expect(
      (await backoffice.service.fetch('/api/admin/session', { headers: { cookie: planted } })).status,
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

describe('a sign-in that fails', () => {
  test.for(refused)('answers %s like any other failure, byte for byte', async ([, body]) => {
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

  test('leaves the session that it came with as it was', async () => {
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

/** The headers that do not differ from one answer to the next in any case. */
function comparableHeaders({ headers }: Response): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
}
