import { beforeEach, describe, expect, test } from 'vitest';
import { classes } from '../../../src/services/load/classes.ts';
import {
  AuthenticatorApp,
  apiOfToken,
  type Challenge,
  challengeOf,
  enrolApp,
  enrolPasskey,
  signIn,
  statusWith,
  verifySignIn,
} from '../../support/here/accounts.ts';
import { SoftwareAuthenticator } from '../../support/here/authenticator.ts';
import { apiAs, errorResponse, success } from '../../support/here/requests.ts';
import { password, type SignedIn } from '../../support/here.ts';
import { duringTransaction, untilBlocked } from '../../support/postgres.ts';
import { mailHere, publicUrl } from '../../support/receivers.ts';

const own = mailHere();
let admin: SignedIn;

const setMode = (value: string) => own.api.put('/settings', { key: 'sign_in_second_factor', value });

beforeEach(async () => {
  await setMode('');
  await own.sql('delete from rate_limits');
  await own.sql('delete from sign_in_challenges');
  admin = await own.service.signIn('user');
  own.mailServer.mails.length = 0;
});

const api = (caller: Parameters<typeof apiAs>[1] = admin) => apiAs(own.service.url, caller);
const challenge = () => challengeOf(own.service, admin.email);
const verify = (body: object) => verifySignIn(own.service, body);
const prove = ({ challenge }: Challenge, method: string, code: string | undefined) =>
  verify({ challenge, method, code });
const wrongPassword = errorResponse(403, 'The password is wrong.');
const unknownFactor = errorResponse(
  400,
  'There is no factor with that id to be verified, or it has expired. Start again.',
);
/** Returns what an account has recorded of factors. */
async function eventsOf(id: string) {
  const rows = await own.sql(
    `select event, before, after from audit_records where actor_id = $1 and event ~ '^(factor|recovery)' order by id`,
    [id],
  );
  return rows.map(({ event, before, after }) => [event, before ?? after]);
}

describe('an authenticator app', () => {
  test('is set up with the password and a code, and listed without its secret', async () => {
    const { body } = await api().post('/factors', { type: 'totp', password, name: ' Phone ' });
    const { id, secret, uri } = body as { id: string; secret: string; uri: string };
    expect(body).toEqual({ success: true, id, secret, uri });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Backoffice:${admin.email}?`);
    expect(await api().get('/factors')).toMatchObject({ body: { factors: [], recovery_codes_left: 0 } });
    expect((await signIn(own.service, { email: admin.email, password })).status).toBe(200);

    const app = new AuthenticatorApp(secret);
    const done = await api().post('/factors/verify', { id, code: app.code() });
    const { recovery_codes: codes } = done.body as { recovery_codes: string[] };
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    const listed = { id, type: 'totp', name: 'Phone', created_at: expect.any(String), last_used_at: null };
    const now = { factors: [listed], recovery_codes_left: 10, second_factor: 'optional' };
    expect((await api().get('/factors')).body).toEqual(now);
    expect(await api().post('/factors/verify', { id, code: app.code() })).toEqual(unknownFactor);
    expect(await eventsOf(admin.id)).toEqual([
      ['factor.added', { admin_id: admin.id, type: 'totp', name: 'Phone' }],
      ['recovery_codes.created', { admin_id: admin.id, left: 10 }],
    ]);
    const notice = await own.mailServer.take(admin.email);
    expect(notice.header('Subject')).toContain('an authenticator app (Phone) was added as a second factor');
  });

  test('takes its codes in the digits of any script, and anything else is a wrong code', async () => {
    // Of a Japanese keyboard, Arabic, Persian, Devanagari and mathematical digits.
    const zeros = ['\uff10', '\u0660', '\u06f0', '\u0966', '\u{1d7f6}'];
    const typed = (code: string, zero = '') =>
      code.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
    const garbage = [
      '\u00e92345\u00df',
      '12345\u{1f4a9}',
      '\ud800',
      '\u2460\u2461\u2462\u2463\u2464\u2465',
      '\u0000',
      '12345',
      '-1',
    ];

    const { id, secret = '' } = await admin.client.call('factors.create', { type: 'totp', password });
    const app = new AuthenticatorApp(secret);
    for (const code of garbage) {
      const { status, body } = await api().post('/factors/verify', { id, code });
      expect([status, JSON.stringify(body)], code).toEqual([400, expect.stringContaining('code')]);
    }
    const confirm = () => admin.client.call('factors.verify', { id, code: typed(app.code(-1), zeros[0]) });
    const { recovery_codes: recoveryCodes = [] } = await confirm().catch(confirm);

    const started = await challenge();
    for (const code of garbage.slice(0, 4))
      expect((await prove(started, 'totp', code)).status, code).toBe(401);
    for (const zero of zeros) {
      await own.sql('update admin_factors set last_step = null where id = $1', [id]);
      const code = `\u200e${typed(app.code(), zero)} `;
      expect((await prove(await challenge(), 'totp', code)).status, zero).toBe(200);
    }
    // Letters and the dash of a Japanese keyboard.
    const wide = [...(recoveryCodes[0] ?? '')].map((letter) =>
      String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
    );
    expect((await prove(await challenge(), 'recovery', wide.join(''))).status).toBe(200);
    for (const code of garbage.slice(0, 2))
      expect((await prove(await challenge(), 'recovery', code)).status).toBe(401);
  });

  test('that is set up by another account, too late or after a newer one is unknown', async () => {
    const start = () => admin.client.call('factors.create', { type: 'totp', password });
    const [first, second] = [await start(), await start()];
    const confirm = ({ id, secret = '' }: typeof first, by?: SignedIn) =>
      api(by).post('/factors/verify', { id, code: new AuthenticatorApp(secret).code() });
    expect(await confirm(first)).toEqual(unknownFactor);
    expect(await confirm(second, own.superadmin)).toEqual(unknownFactor);
    await own.sql(`update admin_factors set created_at = created_at - interval '15 minutes'`);
    expect(await confirm(second)).toEqual(unknownFactor);
  });

  test('is one of at most three, and any of them completes a sign-in', async () => {
    await enrolApp(admin);
    const second = await enrolApp(admin);
    expect(second.recoveryCodes).toEqual([]);
    await enrolApp(admin);
    expect(await api().post('/factors', { type: 'totp', password })).toEqual(
      errorResponse(409, 'The account has as many factors of this type as it can have. Remove one.'),
    );
    expect((await prove(await challenge(), 'totp', second.app.code())).status).toBe(200);
  });
});

describe('a passkey', () => {
  test('is set up with the credential of a browser, and completes a sign-in', async () => {
    const { id, device } = await enrolPasskey(admin, publicUrl);
    const first = await challenge();
    expect(first).toMatchObject({
      methods: ['passkey', 'recovery'],
      passkey: {
        challenge: first.challenge,
        rpId: 'backoffice.example.com',
        allowCredentials: [{ type: 'public-key' }],
      },
    });
    const credential = device.get(first.challenge);
    const done = await verify({ challenge: first.challenge, method: 'passkey', credential });
    expect(done).toMatchObject({ status: 200, body: { admin: { id: admin.id } } });
    expect((await admin.client.call('factors.list')).factors).toMatchObject([
      { id, type: 'passkey', last_used_at: expect.stringMatching(/Z$/) },
    ]);
  });

  test('proves nothing with a wrong signature, origin, site, challenge, count or device', async () => {
    const { device } = await enrolPasskey(admin, publicUrl);
    const used = await challenge();
    const usedCredential = device.get(used.challenge);
    await verify({ challenge: used.challenge, method: 'passkey', credential: usedCredential });
    const { challenge: text } = await challenge();
    const right = device.get(text);
    const response = right.response as { signature: string };
    device.signCount = 0;
    const attempts = [
      { ...right, response: { ...response, signature: response.signature.replace(/^..../, 'AAAA') } },
      { ...new SoftwareAuthenticator('https://evil.example.com').get(text), id: right.id, rawId: right.id },
      usedCredential,
      device.get(text),
    ];
    const wrong = {
      status: 401,
      body: { error: 'The code is wrong, or was used before.' },
      cookie: undefined,
    };
    for (const credential of attempts)
      expect(await verify({ challenge: text, method: 'passkey', credential })).toMatchObject(wrong);
    // The fifth try, with the right one.
    expect((await verify({ challenge: text, method: 'passkey', credential: right })).status).toBe(200);
  });

  test('is refused at its set-up from another site, for another challenge, or twice', async () => {
    const refused = errorResponse(400, 'The browser did not prove a passkey of this site. Start again.');
    const { id, options = {} } = await admin.client.call('factors.create', { type: 'passkey', password });
    const make = (origin: string, challenge = options.challenge) =>
      new SoftwareAuthenticator(origin, new URL(publicUrl).hostname).create({ challenge });
    for (const credential of [make('https://evil.example.com'), make(publicUrl, 'AAAA'), {}])
      expect(await api().post('/factors/verify', { id, credential })).toEqual(refused);
    const made = make(publicUrl);
    const damaged = ['x', 1, null, [], {}].flatMap((value) => [
      { ...made, response: value },
      { ...made, id: value },
      { ...made, response: { ...(made.response as object), clientDataJSON: value } },
      { ...made, response: { ...(made.response as object), attestationObject: value } },
    ]);
    for (const credential of damaged)
      expect(await api().post('/factors/verify', { id, credential }), JSON.stringify(credential)).toEqual(
        refused,
      );
    // Hints, which no device signs.
    const transports = [1, null, { a: 1 }, 'x'.repeat(100), 'usb'];
    const credential = { ...made, response: { ...(made.response as object), transports } };
    expect((await api().post('/factors/verify', { id, credential })).status).toBe(200);
    expect(await own.sql('select transports from admin_factors where id = $1', [id])).toEqual([
      { transports: ['usb'] },
    ]);
    const again = await admin.client.call('factors.create', { type: 'passkey', password });
    expect(again.options?.excludeCredentials).toMatchObject([{ id: made.id }]);
  });
});

describe("an account's own factors", () => {
  test('need the password to be added, removed or replaced, and wrong ones are limited', async () => {
    const { id } = await enrolApp(admin);
    const guess = { password: 'wrong horse' };
    const add = () => api().post('/factors', { type: 'totp', ...guess });
    expect(await api().delete('/factors', { id, ...guess })).toEqual(wrongPassword);
    expect(await api().post('/factors/recovery-codes', guess)).toEqual(wrongPassword);
    expect(await api().delete(`/factors?id=${id}&password=${encodeURIComponent(password)}`, {})).toEqual(
      errorResponse(400, 'password is required.'),
    );
    for (let tries = 0; tries < 8; tries++) expect(await add()).toEqual(wrongPassword);
    expect((await add()).status).toBe(429);
    expect(await statusWith(own.service, admin.cookie)).toBe(200);
  });

  test('are removed with their recovery codes and challenges', async () => {
    const { id, app, recoveryCodes } = await enrolApp(admin);
    const started = await challenge();
    expect(await api(own.superadmin).delete('/factors', { id, password })).toEqual(success);
    expect((await admin.client.call('factors.list')).factors).toHaveLength(1);
    expect(await api().delete(`/factors?id=${id}`, { password })).toEqual(success);
    expect((await api().get('/factors')).body).toMatchObject({ factors: [], recovery_codes_left: 0 });
    expect((await prove(started, 'totp', app.code())).status).toBe(401);
    expect((await prove(started, 'recovery', recoveryCodes[0])).status).toBe(401);
    expect((await signIn(own.service, { email: admin.email, password })).status).toBe(200);
    expect((await eventsOf(admin.id)).map(([event]) => event)).toContain('factor.removed');
  });

  test('have recovery codes that can be replaced', async () => {
    expect(await api().post('/factors/recovery-codes', { password })).toEqual(
      errorResponse(409, 'Recovery codes need a second factor. Set one up first.'),
    );
    const { recoveryCodes } = await enrolApp(admin);
    const { recovery_codes: renewed } = await admin.client.call('factors.createRecoveryCodes', { password });
    expect(renewed).toHaveLength(10);
    const started = await challenge();
    expect((await prove(started, 'recovery', recoveryCodes[0])).status).toBe(401);
    expect((await prove(started, 'recovery', renewed[9])).status).toBe(200);
    expect((await admin.client.call('factors.list')).recovery_codes_left).toBe(9);
  });

  test('are not changed by a session that ends before the change is made, nor are tokens', async () => {
    const recovering = await enrolApp(admin);
    const started = await admin.client.call('factors.create', { type: 'totp', password });
    const code = new AuthenticatorApp(started.secret ?? '').code();
    const { user_code } = await admin.client.call('device.create', { name: 'TV' });
    const stored = () =>
      own.sql(
        `select (select json_agg(f order by id) from admin_factors f where admin_id = $1) as factors,
           (select json_agg(c::text order by c::text) from admin_recovery_codes c where admin_id = $1) as codes,
           (select count(*) from api_tokens where owner_id = $1) as tokens,
           (select count(*) from device_sign_ins where admin_id = $1) as devices`,
        [admin.id],
      );
    const before = await stored();
    const changes = [
      () => api().post('/factors/verify', { id: started.id, code }),
      () => api().delete('/factors', { id: recovering.id, password }),
      () => api().post('/factors/recovery-codes', { password }),
      () => api().post('/tokens', { name: 'kept' }),
      () => api().post('/device/approve', { user_code, role: 'user' }),
    ];
    const end = 'delete from sessions where admin_id = $1';
    await duringTransaction(own, [end, [admin.id]], async (client) => {
      const answers = changes.map((change) => change());
      // The last waits for its turn.
      await untilBlocked(own, classes.changes.perCaller);
      await client.query('commit');
      for (const answer of await Promise.all(answers))
        expect(answer).toEqual(errorResponse(401, 'Unauthorized'));
    });
    expect(await stored()).toEqual(before);
  });

  test('are not those of a token', async () => {
    const token = await apiOfToken(own, 'superadmin');
    const { id } = await enrolApp(admin);
    const refused = errorResponse(
      403,
      'API tokens and local operators have no second factor of their own. Sign in to an account.',
    );
    expect(await token.post('/factors', { type: 'totp', password })).toEqual(refused);
    expect((await token.delete('/admins/factors', { id: admin.id, password })).status).toBe(403);
    expect((await token.get(`/admins/factors?id=${admin.id}`)).body).toMatchObject({ factors: [{ id }] });
  });
});

test('a superadmin resets the factors of another admin with its own password, which ends the sessions', async () => {
  const { superadmin } = own;
  await enrolApp(admin);
  await enrolPasskey(admin, publicUrl);
  const reset = (body: object) => api(superadmin).delete('/admins/factors', body);
  for (const refused of [
    { id: admin.id, password: 'wrong horse' },
    { id: admin.id },
    { id: superadmin.id, password },
  ])
    expect((await reset(refused)).status).toBe(403);
  expect(await statusWith(own.service, admin.cookie)).toBe(200);
  const done = await reset({ id: admin.id, password });
  expect(done).toEqual({ status: 200, body: { success: true, removed: 2 } });
  expect(await statusWith(own.service, admin.cookie)).toBe(401);
  expect((await signIn(own.service, { email: admin.email, password })).status).toBe(200);
  const removed = (await eventsOf(superadmin.id)).filter(([event]) => event === 'factor.removed');
  expect(removed).toContainEqual(['factor.removed', { admin_id: admin.id, type: 'totp', name: '' }]);
  const texts = () => own.mailServer.mails.map(({ text }) => text).join();
  await expect.poll(texts).toContain('An authenticator app was removed as a second factor.');
});

describe('required, without a factor and with mail,', () => {
  beforeEach(() => setMode('required'));

  const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';

  test('a code is sent that completes this one sign-in', async () => {
    await own.sql(`update admins set otp_email = 'codes@example.com' where id = $1`, [admin.id]);
    const first = await challenge();
    expect(first.methods).toEqual(['email']);
    const mail = await own.mailServer.take('codes@example.com');
    const code = codeIn(mail.text);
    expect(mail.header('Subject')).not.toContain(code);
    const second = await challenge();
    const otherCode = codeIn((await own.mailServer.take('codes@example.com')).text);
    // One in a million times, both are the same.
    if (code !== otherCode) expect((await prove(second, 'email', code)).status).toBe(401);
    for (const method of ['totp', 'recovery', 'passkey'])
      expect((await prove(first, method, code)).status).toBe(401);
    const uses = await Promise.all([prove(first, 'email', code), prove(first, 'email', code)]);
    expect(uses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const { cookie = '' } = uses.find(({ status }) => status === 200) ?? {};
    expect((await api({ cookie }).get('/issues')).status).toBe(200);
  });

  test('at most five codes are sent until one expires, even at once', async () => {
    const enter = () => signIn(own.service, { email: admin.email, password });
    const tries = await Promise.all(Array.from({ length: 7 }, enter));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 202, 202, 429, 429]);
    expect(tries.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('300');
    await own.sql('update sign_in_challenges set expires_at = now()');
    expect((await challenge()).methods).toEqual(['email']);
  });

  test('an account whose address can get no mail may only set up a factor', async () => {
    await own.sql(`update admins set otp_email = 'nowhere' where id = $1`, [admin.id]);
    const response = await signIn(own.service, { email: admin.email, password });
    expect(await response.json()).toMatchObject({ success: true, limited_to: 'enrolment' });
  });
});
