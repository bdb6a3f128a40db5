import { beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { ask, atOnce } from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, type SignedIn, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere({ TRUST_PROXY: '1' });
const second = instanceHere(backoffice);

let networks = 0;

/** Sends a request without a session, by default from a network of its own. */
async function send(
  path: string,
  body: object,
  from = `198.51.100.${++networks}`,
  service = backoffice.service,
) {
  const headers = { 'x-forwarded-for': from };
  const answer = await ask(service, `/api/admin${path}`, { method: 'POST', headers, body });
  return { status: answer.status, body: answer.body as Record<string, string> };
}

/** Starts the sign-in of a device. */
async function start(name = 'laptop') {
  const { status, body } = await send('/device', { name });
  expect(status).toBe(200);
  return { deviceCode: body.device_code ?? '', userCode: body.user_code ?? '', body };
}

let ada: SignedIn;
let device: Awaited<ReturnType<typeof start>>;

beforeEach(async () => {
  ada = await backoffice.service.signIn('admin');
  device = await start();
});

const poll = (service?: TestService, device_code = device.deviceCode) =>
  send('/device/token', { device_code }, undefined, service);

const approve = (grant: Partial<InputOf<'device.approve'>> = {}, { client } = ada) =>
  client.call('device.approve', { user_code: device.userCode, ...grant });

const refusal = (error: string) => ({ status: 400, body: { error } });

describe('a device', () => {
  test('gets a code for itself and one for the person, of which neither is stored', async () => {
    const { deviceCode, userCode, body } = device;
    expect(deviceCode).toMatch(/^[\w-]{43}$/);
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const codes = { device_code: deviceCode, user_code: userCode };
    const verification_uri = `${backoffice.service.url}/device`;
    expect(body).toEqual({ ...codes, verification_uri, expires_in: 900, interval: 5 });
    const rows = await backoffice.sql<{ text: string }>('select t::text as text from device_sign_ins as t');
    expect(rows.some(({ text }) => text.includes(deviceCode) || text.includes(userCode))).toBe(false);
  });

  test('is let in by a person, on any instance, and gets a token of theirs', async () => {
    expect(await poll()).toEqual(refusal('authorization_pending'));
    // With the letters and the dash of a Japanese keyboard.
    const wide = (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
    const typed = ` ${device.userCode.toLowerCase().replaceAll(/\S/g, wide)} `;
    expect(await ada.client.call('device.show', { user_code: typed })).toMatchObject({
      device: { name: 'laptop', address: expect.stringMatching(/^198\.51\.100\./) },
    });
    await approve({ user_code: typed, role: 'admin', read_only: true, expires_days: 30 });
    const { status, body } = await poll(second);
    expect([status, Object.keys(body)]).toEqual([200, ['token']]);
    const client = createClient({ baseUrl: second.url, token: body.token ?? '' });
    expect(await client.call('session.show')).toMatchObject({ admin: { id: ada.id, role: 'admin' } });
    expect((await ada.client.call('tokens.list')).tokens).toMatchObject([
      { name: 'laptop', role: 'admin', read_only: true, owner: { id: ada.id }, created_by: ada.email },
    ]);
    for (const code of [device.deviceCode, 'A'.repeat(43), ''])
      expect(await poll(second, code)).toEqual(refusal('expired_token'));
  });

  test('gets one token, however many requests ask for it', async () => {
    await approve();
    const answers = await atOnce(50, (n) => poll(n % 2 ? second : undefined));
    const [given, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(given?.status).toBe(200);
    for (const other of others) expect(other).toEqual(refusal('expired_token'));
    expect((await ada.client.call('tokens.list')).tokens).toHaveLength(1);
  });

  test('gets a number if its person has a token of its name', async () => {
    for (let time = 0; time < 2; time++) {
      device = await start('desk');
      await approve();
      expect((await poll()).status).toBe(200);
    }
    const { tokens } = await ada.client.call('tokens.list');
    expect(tokens.map(({ name }) => name)).toEqual(['desk 2', 'desk']);
  });

  test('that asks too often must wait longer, but gets its token at once', async () => {
    expect(await poll()).toEqual(refusal('authorization_pending'));
    expect(await poll()).toEqual(refusal('slow_down'));
    const latest = 'select interval_seconds from device_sign_ins order by id desc limit 1';
    expect(await backoffice.sql(latest)).toEqual([{ interval_seconds: 10 }]);
    await approve();
    expect((await poll()).status).toBe(200);
  });

  test('may ask twenty times per network', async () => {
    const answers = await atOnce(30, () => send('/device', { name: 'x' }, '203.0.113.9'));
    const refused = { status: 429, body: { error: 'Too many devices ask to be let in. Try again later.' } };
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(10).fill(refused));
  });
});

describe('a person', () => {
  test('keeps a device out, and answers it once', async () => {
    await ada.client.call('device.deny', { user_code: device.userCode });
    expect(await poll()).toEqual(refusal('access_denied'));
    await expect(approve()).rejects.toMatchObject({ status: 400, param: 'user_code' });
  });

  test('gives at most the own role, and nothing once the account has ended', async () => {
    await expect(approve({ role: 'superadmin' })).rejects.toMatchObject({ status: 403 });
    await approve();
    await backoffice.superadmin.client.call('admins.changeActivity', { id: ada.id, is_active: 0 });
    expect(await poll()).toEqual(refusal('expired_token'));
  });

  test('finds no code that is too old', async () => {
    await backoffice.sql('update device_sign_ins set expires_at = now()');
    const old = { status: 400, message: expect.stringMatching(/^There is no device with this code\./) };
    await expect(ada.client.call('device.show', { user_code: device.userCode })).rejects.toMatchObject(old);
    expect(await poll()).toEqual(refusal('expired_token'));
  });

  test('may enter ten wrong codes, also in parallel', async () => {
    const guess = () =>
      ada.client.call('device.show', { user_code: 'WRNG-CDXX' }).catch(({ status }) => Number(status));
    const statuses = await Promise.all(Array.from({ length: 30 }, guess));
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    for (let wrong = 0; wrong < 10; wrong++) await guess();
    const tooMany = { status: 429, message: 'Too many wrong codes. Try again later.' };
    await expect(approve()).rejects.toMatchObject(tooMany);
    const { client } = await backoffice.service.signIn('user');
    expect(await client.call('device.show', { user_code: device.userCode })).toHaveProperty('device');
  });

  test('is needed: an API token cannot let a device in', async () => {
    const { client } = await backoffice.service.signIn('superadmin');
    const own = await client.call('tokens.create', { name: 'script', role: 'superadmin' });
    const message = 'Only a person who is signed in can let a device in. API tokens cannot.';
    for (const { secret: token } of [own, await backoffice.service.createToken('superadmin')]) {
      const script = { ...ada, client: createClient({ baseUrl: backoffice.service.url, token }) };
      await expect(approve({}, script)).rejects.toMatchObject({ status: 403, message });
    }
  });
});
