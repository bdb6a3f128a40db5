import { beforeEach, describe, expect, test } from 'vitest';
import { purposeOf } from '../../../src/db/tables/sealed-columns.ts';
import { apiOfRole } from '../../support/here/accounts.ts';
import {
  apiAs,
  atOnce,
  bearer,
  callTool,
  connectOverHttp,
  errorResponse,
  errorResponseLike,
  success,
} from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, startInstance } from '../../support/here.ts';

const backoffice = backofficeHere();

const put = (body: object) => backoffice.api.put('/settings', body);
const sealed = expect.stringMatching(/^sealed\.v1\.[0-9a-f]{8}\.[\w-]+$/);

beforeEach(() => backoffice.sql('truncate settings'));

async function shown(): Promise<Record<string, string>> {
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  return settings;
}

/** Returns the rows as SQL reads them, with a list around what is secret. */
async function stored(): Promise<Record<string, unknown>> {
  const rows = await backoffice.sql<{ key: string; value: string; is_secret: boolean }>(
    'select setting_key as key, setting_value as value, is_secret from settings',
  );
  return Object.fromEntries(rows.map(({ key, value, is_secret }) => [key, is_secret ? [value] : value]));
}

/** Returns the values of the secret settings as only the key opens them. */
async function opened(): Promise<Record<string, string>> {
  const { secretBox } = backoffice.service.services;
  const secret = Object.entries(await stored()).filter(([, value]) => Array.isArray(value));
  return Object.fromEntries(
    secret.map(([key, value]) => [key, secretBox.open(String(value), purposeOf('setting', key))]),
  );
}

const notCompared = errorResponse(
  400,
  'a is secret, so expected cannot compare its value. Leave it out, or expect null if it must not be set.',
);

describe('a secret setting', () => {
  test('is encrypted for SQL, and returned to nobody', async () => {
    expect(await put({ key: 'password', value: ' correct horse ', secret: true })).toEqual(success);
    expect(await put({ updates: { site: 'Example', token: 't0ken' }, secret: ['token'] })).toEqual(success);
    expect(await stored()).toEqual({ password: [sealed], site: 'Example', token: [sealed] });
    expect(await opened()).toEqual({ password: 'correct horse', token: 't0ken' });
    for (const role of ['user', 'admin', 'superadmin'] as const) {
      const api = await apiOfRole(backoffice, role);
      for (const query of ['', '?section=none', '?month=current', '?include=details']) {
        const { body } = await api.get(`/settings${query}`);
        expect((body as { settings: object }).settings).toEqual({ site: 'Example' });
        expect(JSON.stringify(body)).not.toMatch(/correct horse|t0ken|sealed\.v1/);
        expect(JSON.stringify(body).includes('password')).toBe(query === '?include=details');
      }
    }
  });

  test('is told to no agent', async () => {
    await put({ updates: { a: 't0ken', plain: 'x' }, secret: ['a'] });
    const { secret } = await backoffice.service.createToken('superadmin');
    const agent = await connectOverHttp(backoffice.service.url, secret);
    const told = await callTool(agent, 'settings_show', { section: 'none', include: 'details' });
    expect(told.structuredContent).toMatchObject({
      settings: { plain: 'x' },
      details: { a: { is_secret: true } },
    });
    expect(JSON.stringify(told)).not.toContain('t0ken');
    await agent.close();
  });

  test('stays secret with another value or without one, until `secret: false` comes with a value', async () => {
    await put({ updates: { a: '1', b: '2' }, secret: ['a', 'b'] });
    expect(await put({ key: 'a', value: 'new' })).toEqual(success);
    expect(await put({ updates: { b: 'newer', c: '3', d: '4' } })).toEqual(success);
    // The first is secret already.
    expect(await put({ updates: { c: '5' }, secret: ['a', 'd', 'unknown'] })).toEqual(success);
    expect(await opened()).toEqual({ a: 'new', b: 'newer', d: '4' });
    // Somebody writes back what they have read.
    expect(await put({ updates: await shown(), expected: await shown() })).toEqual(success);
    expect(await opened()).toEqual({ a: 'new', b: 'newer', d: '4' });
    expect(await put({ key: 'a', secret: false })).toEqual(errorResponse(400, 'key and value are required'));
    expect(await put({ key: 'a', value: '6', secret: false })).toEqual(success);
    expect(await stored()).toEqual({ a: '6', b: [sealed], c: '5', d: [sealed] });
  });

  test('is compared before it becomes secret, and not after: a right guess gets the answer to a wrong one', async () => {
    await put({ key: 'a', value: '1' });
    const encrypt = (expected: object) => put({ updates: {}, secret: ['a'], expected });
    expect(await encrypt({ a: '0' })).toEqual(
      errorResponse(409, 'Changed meanwhile: a has another value now.'),
    );
    expect(await encrypt({ a: '1' })).toEqual(success);
    for (const guess of ['0', '1', '']) {
      expect(await put({ key: 'a', value: '2', expected: guess })).toEqual(notCompared);
      expect(await put({ updates: { b: '1' }, expected: { b: 'other', a: guess } })).toEqual(notCompared);
      expect(await put({ updates: {}, remove: ['a'], expected: { a: guess } })).toEqual(notCompared);
      expect(await put({ key: 'a', value: '2', secret: false, expected: guess })).toEqual(notCompared);
    }
    expect(await put({ key: 'a', value: '2', expected: null })).toEqual(
      errorResponse(409, 'Changed meanwhile: a is set now.'),
    );
    expect(await put({ key: 'new', value: '1', secret: true, expected: null })).toEqual(success);
    expect(await opened()).toEqual({ a: '1', new: '1' });
  });

  test('leaves its value in no event and no audit record', async () => {
    await put({ key: 'password', value: 'hunter2', secret: true });
    await put({ key: 'password', value: 'hunter3' });
    await put({ updates: { password: 'hunter4', other: 'hunter5' }, secret: ['other'] });
    await put({ key: 'password', value: 'hunter6', expected: 'hunter4' });
    await backoffice.superadmin.client.call('settings.delete', { key: 'password' });
    await backoffice.service.services.publisher.catchUp();
    const rows = await backoffice.sql(
      `select from events where events::text like '%hunter%' union all
       select from audit_records where audit_records::text like '%hunter%'`,
    );
    expect(rows).toEqual([]);
  });

  test('stays encrypted when several callers write it at the same time', async () => {
    await atOnce(20, (n) => put({ key: 'raced', value: `value ${n}`, ...(n === 7 ? { secret: true } : {}) }));
    expect(await stored()).toEqual({ raced: [sealed] });
    expect((await opened()).raced).toMatch(/^value \d+$/);
  });
});

test('a server without the key writes no secret, says which key it lacks, and shows and deletes settings', async () => {
  await put({ updates: { a: '1' }, secret: ['a'] });
  const keyless = await startInstance(backoffice, { BACKOFFICE_ENCRYPTION_KEY: '' });
  const api = apiAs(keyless.url, backoffice.superadmin);
  const refused = errorResponseLike(501, /Set BACKOFFICE_ENCRYPTION_KEY/);
  expect(await api.put('/settings', { key: 'b', value: '2', secret: true })).toEqual(refused);
  expect(await api.put('/settings', { key: 'a', value: '2' })).toEqual(refused);
  expect(await api.post('/webhooks', { url: 'https://example.com' })).toEqual(refused);
  expect(await stored()).toEqual({ a: [sealed] });
  expect(await api.put('/settings', { key: 'plain', value: 'x' })).toEqual(success);
  expect(await api.get('/settings?section=none&include=details')).toMatchObject({
    body: { settings: { plain: 'x' }, details: { a: { is_secret: true }, plain: { is_secret: false } } },
  });
  expect(await api.delete('/settings?key=a')).toEqual(success);
  expect(await stored()).toEqual({ plain: 'x' });
});

describe('a protected setting', () => {
  const onlySuperadmin = 'Only a superadmin can change this setting.';
  const insufficient = 'Insufficient permissions.';
  const strict = instanceHere(backoffice, { BACKOFFICE_STRICT_ROLES: '1' });

  // Security, retention and access, then money.
  test.for([
    'sign_in_second_factor',
    'history_retention_days',
    'audit_retention_days',
    'conversation_retention_days',
    'events_retention_days',
    'contact_page',
    'contact_origins',
    'token_budgets',
    'token_prices',
    'currency',
  ])(
    '%s is changed only by those who may: of money by every session, unless roles are strict',
    async (key) => {
      const isSecurity = key === 'sign_in_second_factor';
      const isMoney = ['token_budgets', 'token_prices', 'currency'].includes(key);
      const refused = errorResponse(403, isSecurity ? onlySuperadmin : insufficient);
      for (const [role, strictly] of [
        ['user', refused],
        ['admin', isSecurity ? refused : success],
        ['superadmin', success],
      ] as const) {
        const session = await backoffice.service.signIn(role);
        const token = bearer((await backoffice.service.createToken(role)).secret);
        for (const [url, caller, answer] of [
          [backoffice.service.url, session, isMoney ? success : strictly],
          [strict.url, session, strictly],
          [backoffice.service.url, token, strictly],
        ] as const) {
          const api = apiAs(url, caller);
          expect(await api.put('/settings', { key, value: '30' })).toEqual(answer);
          expect(await api.put('/settings', { updates: { a: '1' }, remove: [key] })).toEqual(answer);
          expect(await api.delete(`/settings?key=${key}`)).toEqual(answer);
        }
      }
    },
  );

  test('is protected in every form of a call, also for tokens', async () => {
    const { service } = backoffice;
    const key = 'sign_in_second_factor';
    for (const [role, refusal] of [['admin', onlySuperadmin], ['superadmin']] as const) {
      const { secret } = await service.createToken(role);
      const before = await shown();
      const harmless = { harmless: role };
      const inputs = [
        { key, value: 'off' },
        { updates: { ...harmless, [key]: 'off' } },
        { updates: harmless, remove: [key] },
      ];
      // What is stored is the key without the other characters, whatever JSON it is.
      const odd = [` ${key}-`, [[key]], { [key]: '' }].map((key) => ({ key, value: 'off' }));
      for (const caller of [await service.signIn(role), bearer(secret)]) {
        const api = apiAs(service.url, caller);
        const answer = refusal === undefined ? success : errorResponse(403, refusal);
        for (const input of [...inputs, ...odd]) expect(await api.put('/settings', input)).toEqual(answer);
        expect(await api.delete(`/settings?key=${key}`)).toEqual(answer);
      }
      // Of a batch that is refused, nothing is written.
      if (refusal !== undefined) expect(await shown()).toEqual(before);
    }
  });

  test('a refusal comes before the errors of an invalid request', async () => {
    const user = await apiOfRole(backoffice, 'user');
    const invalid = { updates: { sign_in_second_factor: 'off' }, secret: 'no array', check: 'maybe' };
    expect(await user.put('/settings', invalid)).toEqual(errorResponse(403, onlySuperadmin));
    const key = 'audit_retention_days';
    for (const input of [{ key }, { updates: {}, secret: [key] }])
      expect(await user.put('/settings', input)).toEqual(errorResponse(403, insufficient));
  });

  test('every role changes all other settings, also those with a similar key', async () => {
    const user = await apiOfRole(backoffice, 'user');
    const updates = { site_name: 'Example', timezone: 'Europe/Berlin', 'sign_in_second_factor ': 'off' };
    expect(await user.put('/settings', { updates })).toEqual(success);
    expect(await user.delete('/settings?key=sign_in_second_factor%20')).toEqual(success);
    expect(await shown()).toEqual({ site_name: 'Example', timezone: 'Europe/Berlin' });
  });
});
