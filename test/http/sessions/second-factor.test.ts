import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { noDeadline } from '../../../src/services/context.ts';
import { attemptSignIn } from '../../../src/services/sign-in/attempt-limits.ts';
import {
  type AuthenticatorApp,
  apiOfToken,
  type Challenge,
  challengeOf,
  enrolApp,
  signIn,
  statusWith,
  verifySignIn,
} from '../../support/here/accounts.ts';
import { apiAs, countByStatus, errorResponse } from '../../support/here/requests.ts';
import { auditRecordsOf, sqlWithoutTriggers } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice);
let admin: SignedIn;
let app: AuthenticatorApp;
let recoveryCodes: readonly string[];

const wrongCode = 'The code is wrong, or was used before.';
const ended = 'This sign-in has expired or had too many tries. Start again with your password.';

const setMode = (value: string) => backoffice.api.put('/settings', { key: 'sign_in_second_factor', value });

/** Returns a code that is wrong at any time near now. */
function wrong(): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => app.code(steps));
  const codes = Array.from('012345', (digit) => digit.repeat(6));
  return codes.find((code) => !right.includes(code)) ?? '';
}

beforeEach(async () => {
  await setMode('');
  await backoffice.sql('delete from rate_limits');
  admin = await backoffice.service.signIn('admin');
  ({ app, recoveryCodes } = await enrolApp(admin));
});

const enter = (account = admin) => signIn(backoffice.service, { email: account.email, password });
const challenge = () => challengeOf(backoffice.service, admin.email);

/** Completes a sign-in with a code of the app, or with a recovery code. */
const prove = (
  { challenge }: Pick<Challenge, 'challenge'>,
  code: string | undefined,
  { method = 'totp', service = backoffice.service } = {},
) => verifySignIn(service, { challenge, method, code });

const recovery = { method: 'recovery' };

const refused = (error: string) => ({ ...errorResponse(401, error), cookie: undefined });

const sessions = async () =>
  (await backoffice.sql('select from sessions where admin_id = $1', [admin.id])).length;

describe('a sign-in with an authenticator app', () => {
  test('takes two steps, on any instances, and only the second starts a session', async () => {
    const first = await enter();
    expect([first.status, first.headers.getSetCookie()]).toEqual([202, []]);
    const answer = (await first.json()) as Challenge;
    expect(answer).toStrictEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery'],
      expires_at: expect.stringMatching(/Z$/),
    });
    const lifetimeMs = Date.parse(answer.expires_at) - Date.now();
    expect(Math.abs(lifetimeMs - 5 * 60_000)).toBeLessThan(60_000);

    const done = await prove(answer, app.code().replace(/^.../, '$& '), { service: second });
    expect(done).toMatchObject({ status: 200, body: { admin: { id: admin.id, role: 'admin' } } });
    expect(await statusWith(backoffice.service, done.cookie ?? '')).toBe(200);
    expect(Object.keys(done.body)).toEqual(['success', 'admin']);
  });

  test.for(['totp', 'recovery'])('starts one session if one code is used at once: %s', async (method) => {
    const challenges = [await challenge(), await challenge(), await challenge()];
    const code = method === 'totp' ? app.code() : recoveryCodes[0];
    const before = await sessions();
    const uses = [...challenges, ...challenges, ...challenges].map((each, index) =>
      prove(each, code, { method, service: index % 2 === 0 ? backoffice.service : second }),
    );
    const answers = await Promise.all(uses);
    expect(countByStatus(answers)).toEqual({ 200: 1, 401: 8 });
    expect(answers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
    expect(await sessions()).toBe(before + 1);
  });

  test('refuses a code that was used, also that of its set-up and those before', async () => {
    // Made together: half a minute may end between two of these requests.
    const [before, used, next] = [app.code(-1), app.code(), app.code(1)];
    expect((await prove(await challenge(), used)).status).toBe(200);
    const again = await challenge();
    for (const code of [used, before, wrong(), ''])
      expect(await prove(again, code)).toMatchObject(refused(wrongCode));
    expect((await prove(again, next)).status).toBe(200);
  });

  test('accepts codes again after the clock was set back', async () => {
    await backoffice.sql('update admin_factors set last_step = last_step + 2880');
    expect((await prove(await challenge(), app.code())).status).toBe(200);
  });
});

const newPassword = `update admins set password_hash = '$2b$' where id = $1`;

describe('a challenge', () => {
  const expectEnded = async (started: Challenge) =>
    expect(await prove(started, app.code())).toMatchObject(refused(ended));

  test('takes five tries, is used once, and expires', async () => {
    const [tried, used, expired] = [await challenge(), await challenge(), await challenge()];
    for (let tries = 0; tries < 5; tries++)
      expect(await prove(tried, wrong())).toMatchObject(refused(wrongCode));
    expect((await prove(used, recoveryCodes[0], recovery)).status).toBe(200);
    await expectEnded(tried);
    await expectEnded(used);
    await backoffice.sql('update sign_in_challenges set expires_at = now()');
    await expectEnded(expired);
  });

  test.for<[string, (id: string) => Promise<unknown>]>([
    ['its password', (id) => backoffice.sql(newPassword, [id])],
    ['its password, without the triggers', (id) => sqlWithoutTriggers(backoffice, newPassword, [id])],
    ['its activity', (id) => backoffice.api.put('/admins/activity', { id, is_active: 0 })],
    ['its factors', () => enrolApp(admin)],
  ])('ends with a change of the account: %s', async ([, change]) => {
    const started = await challenge();
    await change(admin.id);
    await expectEnded(started);
  });

  test('of another account does not accept the code', async () => {
    const { app: another } = await enrolApp(await backoffice.service.signIn('user'));
    expect(await prove(await challenge(), another.code())).toMatchObject(refused(wrongCode));
  });

  test('is random, and neither it nor any code is in the database', async () => {
    const { challenge: text } = await challenge();
    const [dump] = await backoffice.sql<{ all: string }>(
      `select concat(
         (select json_agg(sign_in_challenges) from sign_in_challenges),
         (select json_agg(admin_factors) from admin_factors),
         (select json_agg(admin_recovery_codes) from admin_recovery_codes)
       ) as all`,
    );
    expect(dump?.all).toContain('sealed.v1.');
    const bytes = Buffer.from(text, 'base64url').toString('hex');
    for (const secret of [text, bytes, ...recoveryCodes]) expect(dump?.all).not.toContain(secret);
    expect((await challenge()).challenge).not.toBe(text);
  });
});

test('a recovery code completes one sign-in, and is recorded without the code', async () => {
  const code = ` ${recoveryCodes[3]?.toUpperCase().replace('-', ' ')} `;
  expect((await prove(await challenge(), code, recovery)).status).toBe(200);
  expect(await prove(await challenge(), code, recovery)).toMatchObject(refused(wrongCode));
  const records = await auditRecordsOf(backoffice, 'session.verify');
  const mine = records.filter(({ after }) => (after as { admin_id?: string })?.admin_id === admin.id);
  expect(mine).toMatchObject([
    { event: 'recovery_code.used', after: { left: 9 } },
    { event: 'session.started', after: { second_factor: 'recovery' } },
  ]);
});

describe('the limits of sign-in', () => {
  test('count wrong codes of an account, and a right password does not clear them', async () => {
    for (let round = 0; round < 2; round++) {
      const started = await challenge();
      for (let tries = 0; tries < 5; tries++)
        expect(await prove(started, wrong())).toMatchObject(refused(wrongCode));
    }
    expect((await enter()).status).toBe(429);
  });

  test('of short codes do not keep out a recovery code from a network that is not limited', async () => {
    const started = await challenge();
    const call = { address: '192.0.2.1', signal: noDeadline, log: pino({ level: 'silent' }) };
    const context = { ...backoffice.service.services, ...call };
    await attemptSignIn(context, admin.email, async () => null, { isCode: true });
    await backoffice.sql(`update rate_limits set points = 10 where starts_with(key, 'sign-in-codes:')`);
    expect(await prove(started, app.code())).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
    });
    expect((await prove(started, recoveryCodes[0], recovery)).status).toBe(200);
  });
});

test('the setting decides for the role of the account, at once, and asks nobody who has no factor while optional', async () => {
  for (const [value, status] of [
    ['off', 200],
    ['required', 202],
    ['{"superadmin":"required"}', 202],
    ['{"admin":"off"}', 200],
    ['on', 202],
  ] as const) {
    await setMode(value);
    expect((await enter()).status, value).toBe(status);
  }
  expect((await enter(backoffice.superadmin)).status).toBe(200);
});

describe('required, without a factor and without mail,', () => {
  let limited: SignedIn;

  beforeEach(async () => {
    await setMode('required');
    limited = await backoffice.service.signIn('superadmin');
  });

  test('limits a session to setting one up, and no API token', async () => {
    expect(await limited.client.call('session.show')).toMatchObject({ limited_to: 'enrolment' });
    expect((await limited.client.call('factors.list')).second_factor).toBe('required');
    const api = apiAs(backoffice.service.url, limited);
    const refused = 'Your account needs a second factor. Set one up with POST /api/admin/factors.';
    for (const path of ['/issues', '/settings', '/admins', '/events', '/sessions', '/admins/factors?id=x'])
      expect(await api.get(path), path).toEqual(errorResponse(403, refused));
    await expect(limited.client.call('factors.createRecoveryCodes', { password })).rejects.toMatchObject({
      code: 'factor_required',
    });
    expect((await (await apiOfToken(backoffice, 'user')).get('/issues')).status).toBe(200);
  });

  test('a set-up factor lifts the limit at once on every instance, and ends other limited sessions', async () => {
    const response = await enter(limited);
    expect(await response.json()).toMatchObject({ success: true, limited_to: 'enrolment' });
    const other = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await statusWith(second, limited.cookie)).toBe(200);
    await enrolApp(limited);
    expect((await apiAs(second.url, limited).get('/issues')).status).toBe(200);
    expect(await limited.client.call('session.show')).not.toHaveProperty('limited_to');
    expect(await statusWith(second, other)).toBe(401);
  });
});
