import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { backofficeHere, openSession, password } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

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

describe('a sign-out', () => {
  let cookie: string;

  beforeEach(async () => {
    await backoffice.sql('delete from sessions');
    cookie = await openSession(backoffice.service.url, backoffice.superadmin.email);
  });

  const signOut = () =>
    backoffice.service.fetch('/api/admin/session', { method: 'DELETE', headers: { cookie } });

  test('a sign-out ends only its own session', async () => {
    const other = await openSession(backoffice.service.url, backoffice.superadmin.email);
    const response = await signOut();
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({ success: true });
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
    expect(await statusWith(backoffice.service, other)).toBe(200);
  });

  test('a second sign-out has no session', async () => {
    await signOut();
    const response = await signOut();
    expect(response.status).toBe(401);
    expect(await response.json()).toStrictEqual({ error: 'Unauthorized' });
  });

  test('a request that is running at sign-out is answered and does not restore the session', async () => {
    const slow = await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin; lock table issues in access exclusive mode');
      const request = backoffice.service.fetch('/api/admin/issues', { headers: { cookie } });
      await untilBlocked(backoffice);
      expect((await signOut()).status).toBe(200);
      await client.query('commit');
      return await request;
    });
    expect(slow.status).toBe(200);
    expect(await slow.json()).toStrictEqual({ issues: [] });
    expect(await backoffice.sql('select * from sessions')).toStrictEqual([]);
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
  });

  test('an update of the last request after the sign-out does not restore the session', async () => {
    await backoffice.sql(`update sessions set last_seen_at = now() - interval '5 minutes'`);
    await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin; select 1 from sessions for update');
      const end = signOut();
      // Two are blocked: the update of this request, and the end of the session.
      await untilBlocked(backoffice, 2);
      expect(await statusWith(backoffice.service, cookie)).toBe(200);
      await untilBlocked(backoffice, 3);
      await client.query('commit');
      expect((await end).status).toBe(200);
      await untilBlocked(backoffice, 0);
    });
    expect(await backoffice.sql('select * from sessions')).toStrictEqual([]);
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
  });
});
