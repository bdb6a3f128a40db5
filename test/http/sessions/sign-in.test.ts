import bcrypt from 'bcryptjs';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { sqlWithoutTriggers } from '../../support/here/rows.ts';
import { backofficeHere, openSession, password, type SignedIn, startInstance } from '../../support/here.ts';
import { sharedBrowser } from '../../support/page/browser.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

const credentials = { email: 'grace@example.com', password };
const inactive = 'inactive@example.com';
const passwordless = 'passwordless@example.com';
let grace: SignedIn;

beforeAll(async () => {
  grace = await backoffice.service.signIn('user', credentials.email);
  await backoffice.service.signIn('user', inactive);
  await backoffice.sql('update admins set is_active = 0 where email = $1', [inactive]);
  await backoffice.sql(`insert into admins (email, username) values ($1, 'nobody')`, [passwordless]);
});

describe('a successful sign-in', () => {
  test('returns the admin without secrets, in exactly these bytes', async () => {
    const response = await signIn(backoffice.service, credentials);
    const { id, email } = grace;
    expect([response.status, await response.text()]).toEqual([
      200,
      `{"success":true,"admin":{"id":"${id}","email":"${email}","username":"grace","role":"user"}}`,
    ]);
  });

  test('accepts the e-mail in any case, with spaces around it, but does not trim the password', async () => {
    const email = '  GRACE@Example.COM\n';
    expect((await signIn(backoffice.service, { email, password })).status).toBe(200);
    expect((await signIn(backoffice.service, { email, password: ` ${password}` })).status).toBe(401);
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

test.for(refused)('a failed sign-in has the same answer for %s, byte for byte', async ([, body]) => {
  const response = await signIn(backoffice.service, body);
  expect(response.status).toBe(401);
  expect(await response.text()).toBe('{"error":"Invalid email or password."}');
  const unknown = { email: `${crypto.randomUUID()}@example.com`, password };
  expect(comparableHeaders(response)).toStrictEqual(
    comparableHeaders(await signIn(backoffice.service, unknown)),
  );
  expect(response.headers.getSetCookie()).toStrictEqual([]);
});

/** Returns the headers that are the same for equal answers. */
function comparableHeaders({ headers }: Response): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
}

const current = /^\$bcrypt-sha256\$v=3,t=2b,r=4\$/;
const email = 'imported@example.com';
const secret = 'Grüße aus Köln';

async function hashOf(): Promise<string> {
  const [row] = await backoffice.sql('select password_hash from admins where email = $1', [email]);
  return String(row?.password_hash);
}

const statusOf = async (password: string) => (await signIn(backoffice.service, { email, password })).status;

/** Inserts an account as an operator does who moves it from another system. */
async function importAccount(hash: string): Promise<void> {
  await backoffice.sql('delete from admins where email = $1', [email]);
  await backoffice.sql('insert into admins (email, username, password_hash) values ($1, $1, $2)', [
    email,
    hash,
  ]);
}

describe('an account with a bcrypt hash of another system', () => {
  beforeEach(async () => {
    await backoffice.sql('delete from rate_limits');
    await importAccount(bcrypt.hashSync(secret, 4).replace('$2b$', '$2y$'));
  });

  test('signs in, and has a hash of this system from then on', async () => {
    expect(await statusOf('wrong')).toBe(401);
    expect(await hashOf()).toMatch(/^\$2y\$04\$/);
    expect(await statusOf(secret)).toBe(200);
    const upgraded = await hashOf();
    expect(upgraded).toMatch(current);
    expect(await statusOf(secret.normalize('NFD'))).toBe(200);
    expect(await hashOf()).toBe(upgraded);
  });

  test('keeps its sessions when the hash is upgraded, and loses them when the password changes', async () => {
    const first = await openSession(backoffice.service.url, email, secret);
    const change = 'update admins set password_hash = $2 where email = $1';
    await sqlWithoutTriggers(backoffice, change, [email, bcrypt.hashSync(secret, 4)]);
    const second = await openSession(backoffice.service.url, email, secret);
    expect(await hashOf()).toMatch(current);
    expect(await statusWith(backoffice.service, first)).toBe(200);
    await backoffice.sql(`update admins set password_hash = '' where email = $1`, [email]);
    for (const cookie of [first, second]) expect(await statusWith(backoffice.service, cookie)).toBe(401);
  });

  test('signs in as often as it wants at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => statusOf(secret)));
    expect(answers).toEqual([200, 200, 200, 200]);
    expect(await hashOf()).toMatch(current);
  });

  test.runIf(isSlowRun)(
    'of a higher cost makes every failed sign-in as slow, so that its time tells nothing',
    async () => {
      await importAccount(bcrypt.hashSync(secret, 4).replace('$04$', '$11$'));
      const cpuOf = async (name: string) => {
        const before = process.cpuUsage();
        expect((await signIn(backoffice.service, { email: name, password: 'wrong' })).status).toBe(401);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      const others = ['unknown@example.com', backoffice.superadmin.email, inactive, passwordless];
      const times: number[] = [];
      // The first sign-in also starts the thread that computes.
      await cpuOf(email);
      for (const name of [email, ...others]) times.push(await cpuOf(name));
      expect(Math.max(...times) / Math.min(...times)).toBeLessThan(1.6);
    },
  );
});

const common = 'This password is one of the 10,000 most common. Choose another.';
const ofAccount = 'The password is the e-mail of the account or its first part. Choose another.';

describe('a weak new password', () => {
  const strict = backofficeHere({ BACKOFFICE_STRICT_ROLES: '1' });

  test.for([
    ['one of the most common', 'qwertyuiop', common],
    ['one with capitals', '1Q2W3E4R5T', common],
    ['the e-mail', 'Grace.Hopper@Example.com', ofAccount],
    ['its first part', 'grace.hopper', ofAccount],
  ])('is refused with strict roles only: %s', async ([, password = '', message = '']) => {
    const admin = { email: 'Grace.Hopper@example.com', password };
    const short = [...password].length < 12;
    const refusal = errorResponse(400, short ? 'Password must be at least 12 characters.' : message);
    expect(await strict.api.post('/admins', admin)).toEqual(refusal);
    const { id } = await strict.service.signIn('user', 'grace.hopper@example.com');
    expect(await strict.api.put('/admins', { id, password })).toEqual(refusal);
    await strict.api.delete(`/admins?id=${id}`);
    const elsewhere = { ...admin, email: `grace.hopper@${crypto.randomUUID()}` };
    expect((await backoffice.api.post('/admins', elsewhere)).status).toBe(200);
  });

  test('has the length that BACKOFFICE_PASSWORD_MIN_LENGTH says', async () => {
    const other = await startInstance(strict, {
      BACKOFFICE_STRICT_ROLES: '1',
      BACKOFFICE_PASSWORD_MIN_LENGTH: '8',
    });
    const api = apiAs(other.url, strict.superadmin);
    const create = (password: string) =>
      api.post('/admins', { email: `${crypto.randomUUID()}@x.test`, password });
    expect(await create('zebra77')).toEqual(errorResponse(400, 'Password must be at least 8 characters.'));
    expect(await create('qwertyuiop')).toEqual(errorResponse(400, common));
    expect((await create('zebra-77')).status).toBe(200);
  });
});

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
  const page = await (await sharedBrowser()).newPage();
  onTestFinished(() => page.close());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const device = { protocol: 'ctap2', transport: 'internal' } as const;
  const options = { ...device, hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  // Passkeys need a name. Any page of the service will do.
  const url = new URL('/healthz', backoffice.service.url);
  url.hostname = 'localhost';
  await page.goto(url.href);
  const { email } = backoffice.superadmin;
  expect(await page.evaluate(script(email))).toMatchObject({
    added: 200,
    due: 202,
    signedIn: { status: 200, body: { success: true, admin: { email } } },
    again: 401,
  });
});
