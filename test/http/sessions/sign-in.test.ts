import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { backofficeHere, openSession, password } from '../../support/here.ts';
import { sharedBrowser } from '../../support/page/browser.ts';
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

describe('a browser', () => {
  let page: Page;

  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    // Passkeys need a name. Any page of the service will do.
    const url = new URL('/healthz', backoffice.service.url);
    url.hostname = 'localhost';
    await page.goto(url.href);
  });

  afterAll(() => page?.close());

  /** What the page runs, as a text, because the types of these tests have no browser. */
  const script = (email: string) => `(async () => {
  const [email, password] = ${JSON.stringify([email, password])};
  const post = async (path, body) => {
    const response = await fetch('/api/admin/' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  await post('session', { email, password });
  const { body: started } = await post('factors', { type: 'passkey', password, name: 'This browser' });
  const made = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(started.options),
  });
  const added = await post('factors/verify', { id: started.id, credential: made });
  const { status, body: due } = await post('session', { email, password });
  const used = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(due.passkey),
  });
  const proof = { challenge: due.challenge, method: 'passkey', credential: used };
  const [signedIn, again] = [await post('session/verify', proof), await post('session/verify', proof)];
  return { added: added.status, due: status, signedIn, again: again.status };
})()`;

  test('a browser makes a passkey from the options of the API, and signs in with it', async () => {
    const { email } = backoffice.superadmin;
    expect(await page.evaluate(script(email))).toMatchObject({
      added: 200,
      due: 202,
      signedIn: { status: 200, body: { success: true, admin: { email } } },
      again: 401,
    });
  });
});
