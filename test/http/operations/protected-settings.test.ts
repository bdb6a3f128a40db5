import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { refuseToChange } from '../../../src/contract/schemas/changes/settings-change.ts';
import { purposeOf } from '../../../src/db/tables/sealed-columns.ts';
import { apiOfRole } from '../../support/here/accounts.ts';
import {
  type ApiResponse,
  apiAs,
  atOnce,
  bearer,
  callTool,
  connectOverHttp,
  errorOf,
  errorResponse,
  errorResponseLike,
  success,
} from '../../support/here/requests.ts';
import { backofficeHere, startInstance } from '../../support/here.ts';

const backoffice = backofficeHere({ BACKOFFICE_MCP_ALLOW: 'settings.update, settings.delete' });

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
    for (const query of ['', '?section=none', '?section=token-usage', '?month=current', '?include=details']) {
      for (const role of ['user', 'admin', 'superadmin'] as const) {
        const { body } = await (await apiOfRole(backoffice, role)).get(`/settings${query}`);
        expect(body).toMatchObject({ profile: { role }, settings: {} });
        expect((body as { settings: object }).settings).toEqual({ site: 'Example' });
        expect(JSON.stringify(body)).not.toMatch(/correct horse|t0ken|sealed\.v1/);
        expect(JSON.stringify(body).includes('password')).toBe(query === '?include=details');
      }
    }
  });

  test('keeps its value when somebody writes back what they have read', async () => {
    await put({ updates: { password: 'correct horse', site: 'Example' }, secret: ['password'] });
    expect(await put({ updates: await shown(), expected: await shown() })).toEqual(success);
    expect(await opened()).toEqual({ password: 'correct horse' });
  });

  test('is told to no agent and no token, and neither finds out by a guess', async () => {
    await put({ updates: { a: 't0ken', plain: 'x' }, secret: ['a'] });
    const { url } = backoffice.service;
    const { secret } = await backoffice.service.createToken('superadmin');
    const { body } = await apiAs(url, bearer(secret)).get('/settings?include=details');
    const agent = await connectOverHttp(url, secret);
    const told = await callTool(agent, 'settings_show', { section: 'none', include: 'details' });
    expect(told.structuredContent).toMatchObject({
      settings: { plain: 'x' },
      details: { a: { is_secret: true } },
    });
    expect(JSON.stringify([body, told])).not.toContain('t0ken');
    for (const expected of ['t0ken', 'other']) {
      const answer = await callTool(agent, 'settings_update', { key: 'a', value: '2', expected });
      expect(errorOf(answer)).toBe((notCompared.body as { error: string }).error);
    }
    await agent.close();
    expect(await opened()).toEqual({ a: 't0ken' });
  });

  test('stays secret when it is written without saying so, one by one and in batches', async () => {
    await put({ updates: { a: '1', b: '2' }, secret: ['a', 'b'] });
    expect(await put({ key: 'a', value: 'new' })).toEqual(success);
    expect(await put({ updates: { b: 'newer', c: '3' } })).toEqual(success);
    expect(await opened()).toEqual({ a: 'new', b: 'newer' });
    expect(await stored()).toEqual({ a: [sealed], b: [sealed], c: '3' });
  });

  test('keeps its value if only that changes', async () => {
    await put({ updates: { a: '1', b: '2' } });
    expect(await put({ updates: { b: '3' }, secret: ['a', 'unknown'] })).toEqual(success);
    // It is secret already.
    expect(await put({ updates: {}, secret: ['a'] })).toEqual(success);
    expect(await shown()).toEqual({ b: '3' });
    expect(await opened()).toEqual({ a: '1' });
  });

  test('is secret no more after `secret: false` with a value', async () => {
    await put({ key: 'a', value: '1', secret: true });
    expect(await put({ key: 'a', secret: false })).toEqual(errorResponse(400, 'key and value are required'));
    expect(await put({ key: 'a', value: '2', secret: false })).toEqual(success);
    expect(await stored()).toEqual({ a: '2' });
  });

  test('is not compared: the answer to a right guess is that to a wrong one', async () => {
    await put({ key: 'a', value: '1', secret: true });
    for (const guess of ['0', '1', '']) {
      expect(await put({ key: 'a', value: '2', expected: guess })).toEqual(notCompared);
      expect(await put({ updates: { b: '1' }, expected: { b: 'other', a: guess } })).toEqual(notCompared);
      expect(await put({ updates: {}, remove: ['a'], expected: { a: guess } })).toEqual(notCompared);
      expect(await put({ key: 'a', value: '2', secret: false, expected: guess })).toEqual(notCompared);
    }
    expect(await put({ key: 'a', value: '2', expected: null })).toEqual(
      errorResponse(409, 'Changed meanwhile: a is set now.'),
    );
    expect(await opened()).toEqual({ a: '1' });
    expect(await put({ key: 'new', value: '1', secret: true, expected: null })).toEqual(success);
  });

  test('is compared before it becomes secret', async () => {
    await put({ key: 'a', value: '1' });
    expect(await put({ updates: {}, secret: ['a'], expected: { a: '0' } })).toEqual(
      errorResponse(409, 'Changed meanwhile: a has another value now.'),
    );
    expect(await put({ updates: {}, secret: ['a'], expected: { a: '1' } })).toEqual(success);
    expect(await opened()).toEqual({ a: '1' });
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
  const notUsers = { user: insufficient };

  /** The settings that the service reads for security, money and retention, with a valid value and who is refused. */
  test.for<[key: string, value: string, refused: { user: string; admin?: string }]>([
    ['sign_in_second_factor', 'optional', { user: onlySuperadmin, admin: onlySuperadmin }],
    ['token_budgets', '{"total":"50.00"}', notUsers],
    ['token_prices', '{}', notUsers],
    ['currency', 'EUR', notUsers],
    ['history_retention_days', '365', notUsers],
    ['audit_retention_days', '365', notUsers],
    ['conversation_retention_days', '365', notUsers],
    ['events_retention_days', '30', notUsers],
  ])('%s has roles of its own, also for tokens and agents', async ([key, value, refused]) => {
    const { service } = backoffice;
    for (const role of ['user', 'admin', 'superadmin'] as const) {
      const { secret } = await service.createToken(role);
      const agent = await connectOverHttp(service.url, secret);
      const callers = [await service.signIn(role), bearer(secret)];
      const apis = callers.map((caller) => apiAs(service.url, caller));
      const refusal = role === 'superadmin' ? undefined : refused[role];
      const before = await shown();
      /** Expects the refusal of the role, or else that error, or none. */
      const check = (told: CallToolResult | ApiResponse, otherwise?: string) => {
        const error = 'status' in told ? (told.body as { error?: string }).error : errorOf(told);
        expect(error).toBe(refusal ?? otherwise);
        if ('status' in told) expect(told.status).toBe(refusal ? 403 : otherwise ? 400 : 200);
      };
      const harmless = { updates: { harmless: role } };
      const batch = { updates: { harmless: role, [key]: value } };
      for (const input of [{ key, value }, batch, { ...harmless, remove: [key] }]) {
        for (const api of apis) check(await api.put('/settings', input));
        check(await callTool(agent, 'settings_update', input));
      }
      // What is stored is the key without the other characters, whatever JSON it is.
      for (const odd of [` ${key}-`, [[key]], { [key]: '' }])
        for (const api of apis) check(await api.put('/settings', { key: odd, value }));
      // Who may change it cannot make it secret either.
      const secretBatch = { ...harmless, secret: [key] };
      const neverSecret = `${key} cannot be secret, because the service itself reads it.`;
      for (const api of apis) check(await api.put('/settings', secretBatch), neverSecret);
      check(await callTool(agent, 'settings_update', secretBatch), neverSecret);
      for (const api of apis) check(await api.delete(`/settings?key=${key}`));
      check(await callTool(agent, 'settings_delete', { key }));
      // Of a batch that is refused, nothing is written.
      if (refusal !== undefined) expect(await shown()).toEqual(before);
      await agent.close();
    }
  });

  test('a refusal comes before the errors of an invalid request, which comes to no harm', async () => {
    const user = await apiOfRole(backoffice, 'user');
    const invalid = { updates: { sign_in_second_factor: 'off' }, secret: 'no array', check: 'maybe' };
    expect(await user.put('/settings', invalid)).toEqual(errorResponse(403, onlySuperadmin));
    expect(await user.put('/settings', { key: 'currency' })).toEqual(errorResponse(403, insufficient));
    // Too deep for JSON.stringify.
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(refuseToChange('user', { key: deep })).toBeUndefined();
  });

  test('every role changes all other settings, also those with a similar key', async () => {
    const user = await apiOfRole(backoffice, 'user');
    const updates = { site_name: 'Example', timezone: 'Europe/Berlin', 'sign_in_second_factor ': 'off' };
    expect(await user.put('/settings', { updates })).toEqual(success);
    expect(await user.delete('/settings?key=sign_in_second_factor%20')).toEqual(success);
    expect(await shown()).toEqual({ site_name: 'Example', timezone: 'Europe/Berlin' });
  });
});
