import bcrypt from 'bcryptjs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enrolApp, signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, errorResponse, success } from '../../support/here/requests.ts';
import { sqlWithoutTriggers } from '../../support/here/rows.ts';
import { backofficeHere, openSession, password, type SignedIn, startInstance } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

const credentials = { email: 'grace@example.com', password };
const inactive = 'inactive@example.com';
const passwordless = 'passwordless@example.com';
const protectedByApp = 'careful@example.com';
let grace: SignedIn;

beforeAll(async () => {
  grace = await backoffice.service.signIn('user', credentials.email);
  await enrolApp(await backoffice.service.signIn('user', protectedByApp));
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
  ['an account with a second factor', { email: protectedByApp, password: 'wrong horse' }],
  ['an account without a password', { email: passwordless, password: '' }],
  ['no e-mail', { password }],
  ['a password that is an object', { ...credentials, password: { $ne: '' } }],
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

const hashOf = async () =>
  String(
    (await backoffice.sql('select password_hash from admins where email = $1', [email]))[0]?.password_hash,
  );

const statusOf = async (password: string) => (await signIn(backoffice.service, { email, password })).status;

/** Inserts an account as an operator does who moves it from another system. */
async function importAccount(hash: string): Promise<void> {
  await backoffice.sql('delete from admins where email = $1', [email]);
  const insert = 'insert into admins (email, username, password_hash) values ($1, $1, $2)';
  await backoffice.sql(insert, [email, hash]);
}

describe('an account with a bcrypt hash of another system', () => {
  beforeEach(async () => {
    await backoffice.sql('delete from rate_limits');
    await importAccount(bcrypt.hashSync(secret, 4).replace('$2b$', '$2y$'));
  });

  test('signs in, also several times at once, and has a hash of this system from then on', async () => {
    expect(await statusOf('wrong')).toBe(401);
    expect(await hashOf()).toMatch(/^\$2y\$04\$/);
    const atOnce = Array.from({ length: 4 }, () => statusOf(secret));
    expect(await Promise.all(atOnce)).toEqual([200, 200, 200, 200]);
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

  test.runIf(isSlowRun)('of a higher cost makes every failed sign-in as slow', async () => {
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
  });
});

const common = 'This password is one of the 10,000 most common. Choose another.';
const ofAccount = 'The password is the e-mail of the account or its first part. Choose another.';

describe('with strict roles, a new password', () => {
  const env = { BACKOFFICE_STRICT_ROLES: '1' };
  const strict = backofficeHere({ ...env, BACKOFFICE_PASSWORD_MIN_LENGTH: '8' });

  test('must not be common, nor be in the e-mail', async () => {
    const hopper = 'grace.hopper@example.com';
    const { id } = await strict.service.signIn('user', hopper);
    const { id: elsewhere } = await backoffice.service.signIn('user', hopper);
    for (const [password, text] of [
      ['qwertyuiop', common],
      ['1Q2W3E4R5T', common],
      ['Grace.Hopper@Example.com', ofAccount],
      ['grace.hopper', ofAccount],
    ] as const) {
      const refusal = errorResponse(400, text);
      expect(await strict.api.post('/admins', { email: hopper.toUpperCase(), password })).toEqual(refusal);
      expect(await strict.api.put('/admins', { id, password })).toEqual(refusal);
      expect(await backoffice.api.put('/admins', { id: elsewhere, password })).toEqual(success);
    }
  });

  test('has the length that BACKOFFICE_PASSWORD_MIN_LENGTH says, by default 12', async () => {
    const usual = await startInstance(strict, env);
    const create = (url: string, password: string) =>
      apiAs(url, strict.superadmin).post('/admins', { email: `${crypto.randomUUID()}@x.test`, password });
    const tooShort = (length: number) =>
      errorResponse(400, 'Password must be at least 12 characters.'.replace('12', String(length)));
    expect(await create(strict.service.url, 'zebra77')).toEqual(tooShort(8));
    expect((await create(strict.service.url, 'zebra-77')).status).toBe(200);
    expect(await create(usual.url, 'zebra-77777')).toEqual(tooShort(12));
    expect((await create(usual.url, 'zebra-777777')).status).toBe(200);
  });
});
