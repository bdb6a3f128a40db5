import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '../../../src/contract/vocabulary.ts';
import { noDeadline } from '../../../src/services/context.ts';
import { attemptSignIn } from '../../../src/services/sign-in/attempt-limits.ts';
import {
  type AuthenticatorApp,
  type Challenge,
  challengeOf,
  enrolApp,
  signIn,
  statusWith,
  verifySignIn,
} from '../../support/here/accounts.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice);
let admin: SignedIn;
let app: AuthenticatorApp;
let recoveryCodes: readonly string[];

const wrongCode = 'The code is wrong, or was used before.';
const ended = 'This sign-in has expired or had too many tries. Start again with your password.';

const setMode = (value: string) =>
  backoffice.sql(
    `insert into settings values ('sign_in_second_factor', $1)
     on conflict (setting_key) do update set setting_value = excluded.setting_value`,
    [value],
  );

/** Returns a code that is wrong at any time near now. */
function wrong(): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => app.code(steps));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? ''
  );
}

beforeEach(async () => {
  await setMode('');
  await backoffice.sql('delete from rate_limits');
  admin = await backoffice.service.signIn('admin');
  ({ app, recoveryCodes } = await enrolApp(admin));
});

const challenge = () => challengeOf(backoffice.service, admin.email);
const verify = (body: object, service = backoffice.service) => verifySignIn(service, body);

describe('a sign-in with an authenticator app', () => {
  test('takes two steps, and only the second starts a session', async () => {
    const first = await signIn(backoffice.service, { email: admin.email, password });
    expect(first.status).toBe(202);
    expect(first.headers.getSetCookie()).toEqual([]);
    const answer = (await first.json()) as Challenge;
    expect(answer).toStrictEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery'],
      expires_at: expect.stringMatching(/Z$/),
    });
    const lifetimeMs = Date.parse(answer.expires_at) - Date.now();
    expect(Math.abs(lifetimeMs - 5 * 60_000)).toBeLessThan(60_000);

    const done = await verify({ challenge: answer.challenge, method: 'totp', code: app.code() });
    expect(done).toMatchObject({
      status: 200,
      body: { success: true, admin: { id: admin.id, role: 'admin' } },
    });
    expect(await statusWith(second, done.cookie ?? '')).toBe(200);
    expect(Object.keys(done.body)).toEqual(['success', 'admin']);
  });

  test('works on another instance, and with a code that is typed with spaces', async () => {
    const { challenge: text } = await challenge();
    const code = app.code(1).replace(/^.../, '$& ');
    expect(await verify({ challenge: text, method: 'totp', code }, second)).toMatchObject({ status: 200 });
  });

  test('of 50 parallel uses of one right code on two instances, one starts a session', async () => {
    const { challenge: text } = await challenge();
    const before = await backoffice.sql('select 1 from sessions where admin_id = $1', [admin.id]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        verify({ challenge: text, method: 'totp', code: app.code() }, index % 2 === 0 ? undefined : second),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    const after = await backoffice.sql('select 1 from sessions where admin_id = $1', [admin.id]);
    expect(after).toHaveLength(before.length + 1);
  });

  test('of several challenges at once, one code completes one', async () => {
    const challenges = [await challenge(), await challenge(), await challenge()];
    const code = app.code();
    const answers = await Promise.all(
      challenges.map(({ challenge: text }) => verify({ challenge: text, method: 'totp', code })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  test('refuses a code that was used, also that of its set-up and those before', async () => {
    // Made together: half a minute may end between two of these requests.
    const [before, used, next] = [app.code(-1), app.code(), app.code(1)];
    const first = await challenge();
    expect((await verify({ challenge: first.challenge, method: 'totp', code: used })).status).toBe(200);
    const again = await challenge();
    for (const code of [used, before, wrong(), '']) {
      const answer = await verify({ challenge: again.challenge, method: 'totp', code });
      expect(answer).toMatchObject({ status: 401, body: { error: wrongCode }, cookie: undefined });
    }
    expect((await verify({ challenge: again.challenge, method: 'totp', code: next })).status).toBe(200);
  });

  test('accepts codes again after the clock was set back', async () => {
    await backoffice.sql('update admin_factors set last_step = last_step + 2880 where admin_id = $1', [
      admin.id,
    ]);
    const { challenge: text } = await challenge();
    expect((await verify({ challenge: text, method: 'totp', code: app.code() })).status).toBe(200);
  });
});

describe('a challenge', () => {
  const expectEnded = async (text: string, code = app.code()) =>
    expect(await verify({ challenge: text, method: 'totp', code })).toMatchObject({
      status: 401,
      body: { error: ended },
      cookie: undefined,
    });

  test('takes five tries', async () => {
    const { challenge: text } = await challenge();
    for (let tries = 0; tries < 5; tries++) {
      expect((await verify({ challenge: text, method: 'totp', code: wrong() })).status).toBe(401);
    }
    await expectEnded(text);
  });

  test('expires, and is deleted then', async () => {
    const { challenge: text } = await challenge();
    await backoffice.sql('update sign_in_challenges set expires_at = now()');
    await expectEnded(text);
  });

  test('is used once', async () => {
    const { challenge: text } = await challenge();
    expect((await verify({ challenge: text, method: 'recovery', code: recoveryCodes[0] })).status).toBe(200);
    await expectEnded(text);
  });

  test.for<[string, (id: string) => Promise<unknown>]>([
    [
      'its password',
      (id) => backoffice.superadmin.client.call('admins.update', { id, password: 'another one' }),
    ],
    [
      'its password, in SQL',
      (id) => backoffice.sql(`update admins set password_hash = '' where id = $1`, [id]),
    ],
    ['its role', (id) => backoffice.superadmin.client.call('admins.update', { id, role: 'user' })],
    [
      'its activity',
      (id) => backoffice.superadmin.client.call('admins.changeActivity', { id, is_active: 0 }),
    ],
    ['its existence', (id) => backoffice.superadmin.client.call('admins.delete', { id })],
    [
      'its address for codes',
      (id) => backoffice.sql(`update admins set otp_email = 'x' where id = $1`, [id]),
    ],
    ['its factors', () => enrolApp(admin)],
  ])('ends with a change of the account: %s', async ([, change]) => {
    const { challenge: text } = await challenge();
    await change(admin.id);
    await expectEnded(text);
  });

  test('is bound to the password even if triggers do not run', async () => {
    const { challenge: text } = await challenge();
    await backoffice.sql('set session_replication_role = replica');
    await backoffice.sql(`update admins set password_hash = '$2b$' where id = $1`, [admin.id]);
    await backoffice.sql('reset session_replication_role');
    await expectEnded(text);
  });

  test('of another account does not accept the code', async () => {
    const other = await backoffice.service.signIn('user');
    await setMode('required');
    const { app: otherApp } = await enrolApp(other);
    const { challenge: text } = await challenge();
    const answer = await verify({ challenge: text, method: 'totp', code: otherApp.code() });
    expect(answer).toMatchObject({ status: 401, body: { error: wrongCode } });
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
    expect(await challenge()).not.toMatchObject({ challenge: text });
  });

  test.for([
    ['an unknown challenge', { challenge: 'A'.repeat(43), method: 'totp', code: '123456' }, 401, ended],
    ['no challenge', { method: 'totp', code: '123456' }, 401, ended],
    ['a challenge that is a number', { challenge: 1, method: 'totp' }, 401, ended],
    ['an unknown method', { challenge: 'A', method: 'sms' }, 400, /^method must be one of: totp, /],
    ['no method', { challenge: 'A' }, 400, /^method must be one of: totp, /],
  ] as const)('refuses %s', async ([, body, status, error]) => {
    const answer = await verify(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringMatching(error) });
  });
});

describe('a recovery code', () => {
  test('completes one sign-in, and is recorded without the code', async () => {
    const first = await challenge();
    const code = ` ${recoveryCodes[3]?.toUpperCase().replace('-', ' ')} `;
    expect((await verify({ challenge: first.challenge, method: 'recovery', code })).status).toBe(200);
    const again = await challenge();
    const answer = await verify({ challenge: again.challenge, method: 'recovery', code });
    expect(answer).toMatchObject({ status: 401, body: { error: wrongCode } });
    const records = await auditRecordsOf(backoffice, 'session.verify');
    const mine = records.filter(({ after }) => (after as { admin_id?: string })?.admin_id === admin.id);
    expect(mine).toMatchObject([
      { event: 'recovery_code.used', after: { left: 9 } },
      { event: 'session.started', after: { second_factor: 'recovery' } },
    ]);
  });

  test('of parallel uses in as many sign-ins, one starts a session', async () => {
    const challenges = await Promise.all(Array.from({ length: 8 }, challenge));
    const answers = await Promise.all(
      challenges.map(({ challenge: text }) =>
        verify({ challenge: text, method: 'recovery', code: recoveryCodes[0] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the limits of sign-in', () => {
  test('count wrong codes of an account, and a right password does not clear them', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      const response = await signIn(backoffice.service, { email: admin.email, password });
      if (response.status !== 202) {
        statuses.push(response.status);
        continue;
      }
      const { challenge: text } = (await response.json()) as Challenge;
      for (let tries = 0; tries < 5; tries++) {
        statuses.push((await verify({ challenge: text, method: 'totp', code: wrong() })).status);
      }
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  test('of short codes do not keep out a recovery code from a network that is not limited', async () => {
    const { challenge: text } = await challenge();
    const call = { address: '192.0.2.1', signal: noDeadline, log: pino({ level: 'silent' }) };
    const context = { ...backoffice.service.services, ...call };
    await attemptSignIn(context, admin.email, async () => null, { isCode: true });
    await backoffice.sql(`update rate_limits set points = 10 where starts_with(key, 'sign-in-codes:')`);
    expect(await verify({ challenge: text, method: 'totp', code: app.code() })).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
    });
    expect((await verify({ challenge: text, method: 'recovery', code: recoveryCodes[0] })).status).toBe(200);
  });
});

describe('before the password is right, the second factor changes nothing:', () => {
  test('an account with one and an unknown account get the same bytes', async () => {
    const wrongPassword = await signIn(backoffice.service, { email: admin.email, password: 'wrong horse' });
    const unknown = await signIn(backoffice.service, { email: 'nobody@example.com', password });
    expect(wrongPassword.status).toBe(401);
    expect(await wrongPassword.text()).toBe(await unknown.text());
    expect([...wrongPassword.headers.keys()]).toEqual([...unknown.headers.keys()]);
  });
});

describe('the setting sign_in_second_factor', () => {
  test('decides for the role of the account, at once, and asks nobody who has no factor while optional', async () => {
    const answers: Record<string, number> = {};
    for (const value of ['off', 'required', '{"superadmin":"required"}', '{"admin":"off"}', 'on']) {
      await setMode(value);
      answers[value] = (await signIn(backoffice.service, { email: admin.email, password })).status;
    }
    const { email } = backoffice.superadmin;
    answers['without a factor'] = (await signIn(backoffice.service, { email, password })).status;
    expect(answers).toEqual({
      off: 200,
      required: 202,
      '{"superadmin":"required"}': 202,
      '{"admin":"off"}': 200,
      on: 202,
      'without a factor': 200,
    });
  });
});

test('without the setting, who has a factor is asked for it at every role, and nobody else notices', async () => {
  await backoffice.sql(`delete from settings where setting_key = 'sign_in_second_factor'`);
  for (const role of roles) {
    const account = await backoffice.service.signIn(role);
    const enter = async () => await signIn(backoffice.service, { email: account.email, password });
    const before = await enter();
    expect([before.status, Object.keys((await before.json()) as object)]).toEqual([
      200,
      ['success', 'admin'],
    ]);
    const { app: own } = await enrolApp(account);
    const asked = await enter();
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([202, []]);
    const { challenge: id, methods } = (await asked.json()) as Challenge;
    expect(methods).toEqual(['totp', 'recovery']);
    expect(await verify({ challenge: id, method: 'totp', code: own.code() })).toMatchObject({ status: 200 });
  }
});

describe('required, without a factor and without mail,', () => {
  let limited: SignedIn;

  beforeEach(async () => {
    await setMode('required');
    limited = await backoffice.service.signIn('superadmin');
  });

  const get = (path: string, { cookie } = limited) =>
    backoffice.service.fetch(`/api/admin${path}`, { headers: { cookie } });

  test('limits the session to setting one up', async () => {
    expect(await limited.client.call('session.show')).toMatchObject({ limited_to: 'enrolment' });
    expect((await limited.client.call('factors.list')).second_factor).toBe('required');
    for (const path of ['/issues', '/settings', '/admins', '/events', '/sessions', '/admins/factors?id=x']) {
      const response = await get(path);
      expect(response.status, path).toBe(403);
      expect(await response.json()).toEqual({
        error: 'Your account needs a second factor. Set one up with POST /api/admin/factors.',
      });
    }
    await expect(limited.client.call('factors.createRecoveryCodes', { password })).rejects.toMatchObject({
      code: 'factor_required',
    });
  });

  test('a set-up factor lifts the limit at once on every instance, and ends other limited sessions', async () => {
    const response = await signIn(backoffice.service, { email: limited.email, password });
    expect(await response.json()).toMatchObject({ success: true, limited_to: 'enrolment' });
    const other = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await statusWith(second, limited.cookie)).toBe(200);
    await enrolApp(limited);
    const { cookie } = limited;
    expect((await second.fetch('/api/admin/issues', { headers: { cookie } })).status).toBe(200);
    expect(Object.keys(await limited.client.call('session.show'))).toEqual([
      'success',
      'admin',
      'expires_at',
      'idle_expires_at',
    ]);
    expect(await statusWith(second, other)).toBe(401);
  });

  test('leaves API tokens as they are', async () => {
    const { secret } = await backoffice.service.createToken('user');
    const headers = { authorization: `Bearer ${secret}` };
    expect((await backoffice.service.fetch('/api/admin/issues', { headers })).status).toBe(200);
  });
});

test('the answer of a sign-in without a due factor keeps its exact bytes', async () => {
  await setMode('off');
  const response = await signIn(backoffice.service, { email: admin.email, password });
  const username = admin.email.split('@')[0];
  expect(await response.text()).toBe(
    `{"success":true,"admin":{"id":"${admin.id}","email":"${admin.email}","username":"${username}","role":"admin"}}`,
  );
});
