import { expect, test } from 'vitest';
import { refuseToChange } from '../../../../src/contract/schemas/changes/settings-change.ts';
import {
  apiAs,
  callTool,
  connectOverHttp,
  errorOf,
  errorResponse,
  success,
} from '../../../support/here/requests.ts';
import { backofficeHere } from '../../../support/here.ts';

const own = backofficeHere({ BACKOFFICE_MCP_ALLOW: 'settings.update, settings.delete' });

const onlySuperadmin = { status: 403, message: 'Only a superadmin can change this setting.' };
const insufficient = { status: 403, message: 'Insufficient permissions.' };

/** The settings that the service reads for security, money and retention, with a valid value and who is refused. */
const settings = [
  {
    key: 'sign_in_second_factor',
    value: 'optional',
    refused: { user: onlySuperadmin, admin: onlySuperadmin },
  },
  { key: 'token_budgets', value: '{"total":"50.00"}', refused: { user: insufficient } },
  { key: 'token_prices', value: '{}', refused: { user: insufficient } },
  { key: 'currency', value: 'EUR', refused: { user: insufficient } },
  { key: 'history_retention_days', value: '365', refused: { user: insufficient } },
  { key: 'audit_retention_days', value: '365', refused: { user: insufficient } },
  { key: 'conversation_retention_days', value: '365', refused: { user: insufficient } },
  { key: 'events_retention_days', value: '30', refused: { user: insufficient } },
] as const;

test.for(settings)('$key has roles of its own', async ({ key, value, refused }) => {
  const superadmin = (await own.service.signIn('superadmin')).client;
  const stored = async () => (await superadmin.call('settings.show', { section: 'none' })).settings;
  for (const role of ['user', 'admin', 'superadmin'] as const) {
    const { client } = await own.service.signIn(role);
    const before = await stored();
    const calls = [
      () => client.call('settings.update', { key, value }),
      // What is stored is the key without the other characters.
      () => client.call('settings.update', { key: ` ${key}-`, value }),
      () => client.call('settings.update', { updates: { harmless: role, [key]: value } }),
      () => client.call('settings.update', { updates: { harmless: role }, remove: [key] }),
      // Whatever JSON the key is.
      () => client.call('settings.update', { key: [[key]], value } as never),
      () => client.call('settings.update', { key: { [key]: '' }, value } as never),
      () => client.call('settings.delete', { key }),
    ];
    const refusal = (refused as Partial<Record<string, typeof insufficient>>)[role];
    for (const call of calls) {
      if (refusal === undefined) await call();
      else await expect(call()).rejects.toMatchObject(refusal);
    }
    // Of a batch that is refused, nothing is written.
    if (refusal !== undefined) expect(await stored()).toEqual(before);
  }
});

test.for(settings)('$key is as protected from tokens and agents', async ({ key, value, refused }) => {
  const { url } = own.service;
  const show = async () => (await own.superadmin.client.call('settings.show', { section: 'none' })).settings;
  for (const role of ['user', 'admin', 'superadmin'] as const) {
    const { secret } = await own.service.createToken(role);
    const api = apiAs(url, { authorization: `Bearer ${secret}` });
    const agent = await connectOverHttp(url, secret);
    const inputs = [
      { key, value },
      { updates: { harmless: role, [key]: value } },
      { updates: { harmless: role }, remove: [key] },
    ];
    const secretBatch = { updates: { harmless: role }, secret: [key] };
    const neverSecret = `${key} cannot be secret, because the service itself reads it.`;
    const refusal = (refused as Partial<Record<string, typeof insufficient>>)[role];
    const before = await show();
    for (const input of inputs) {
      const answer = await api.put('/settings', input);
      const told = await callTool(agent, 'settings_update', input);
      if (refusal === undefined) expect([answer, told.isError ?? false]).toEqual([success, false]);
      else {
        expect(answer).toEqual(errorResponse(403, refusal.message));
        expect(errorOf(told)).toBe(refusal.message);
      }
    }
    // Who may change it cannot make it secret either.
    expect(await api.put('/settings', secretBatch)).toEqual(
      refusal === undefined ? errorResponse(400, neverSecret) : errorResponse(403, refusal.message),
    );
    expect(errorOf(await callTool(agent, 'settings_update', secretBatch))).toBe(
      refusal?.message ?? neverSecret,
    );
    const deleted = await callTool(agent, 'settings_delete', { key });
    if (refusal === undefined) expect(deleted.isError ?? false).toBe(false);
    else expect(errorOf(deleted)).toBe(refusal.message);
    if (refusal !== undefined) expect(await show()).toEqual(before);
    await agent.close();
  }
});

test('a refusal comes before the errors of an invalid request, which comes to no harm', async () => {
  const { client } = await own.service.signIn('user');
  const invalid = { updates: { sign_in_second_factor: 'off' }, secret: 'no array', check: 'maybe' };
  await expect(client.call('settings.update', invalid as never)).rejects.toMatchObject(onlySuperadmin);
  await expect(client.call('settings.update', { key: 'currency' } as never)).rejects.toMatchObject(
    insufficient,
  );
  // Too deep for JSON.stringify.
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(refuseToChange('user', { key: deep })).toBeUndefined();
});

test('every role changes all other settings, also those with a similar key', async () => {
  const { client } = await own.service.signIn('user');
  const updates = { site_name: 'Example', timezone: 'Europe/Berlin', 'sign_in_second_factor ': 'off' };
  await client.call('settings.update', { updates });
  await client.call('settings.delete', { key: 'sign_in_second_factor ' });
  const { settings: stored } = await client.call('settings.show', { section: 'none' });
  expect(stored).toMatchObject({ site_name: 'Example', timezone: 'Europe/Berlin' });
});
