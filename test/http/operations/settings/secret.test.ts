import { beforeEach, describe, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../../support/http/backoffice.ts';
import { atOnce, errorResponse, success } from '../../../support/http/requests.ts';
import { startTestService } from '../../../support/http/service.ts';

const backoffice = backofficeOfThisFile();
const put = (body: object) => backoffice.api.put('/settings', body);
const sealed = expect.stringMatching(/^sealed\.v1\.[0-9a-f]{8}\.[\w-]+$/);

beforeEach(() => backoffice.sql('truncate settings'));

async function shown(): Promise<Record<string, string>> {
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  return settings;
}

/** Returns the rows as SQL reads them. */
async function stored(): Promise<Record<string, unknown>> {
  const rows = await backoffice.sql<{ key: string; value: string; is_secret: boolean }>(
    'select setting_key as key, setting_value as value, is_secret from settings',
  );
  return Object.fromEntries(rows.map(({ key, value, is_secret }) => [key, is_secret ? [value] : value]));
}

describe('a secret setting', () => {
  test('is encrypted for SQL, and reads as before over the API', async () => {
    expect(await put({ key: 'password', value: ' correct horse ', secret: true })).toEqual(success);
    expect(await put({ updates: { site: 'Example', token: 't0ken' }, secret: ['token'] })).toEqual(success);
    expect(await shown()).toEqual({ password: 'correct horse', site: 'Example', token: 't0ken' });
    expect(await stored()).toEqual({ password: [sealed], site: 'Example', token: [sealed] });
  });

  test('stays secret when it is written without saying so, one by one and in batches', async () => {
    await put({ updates: { a: '1', b: '2' }, secret: ['a', 'b'] });
    expect(await put({ key: 'a', value: 'new' })).toEqual(success);
    expect(await put({ updates: { b: 'newer', c: '3' } })).toEqual(success);
    expect(await put({ key: 'a', value: 'newest', expected: 'new' })).toEqual(success);
    expect(await shown()).toEqual({ a: 'newest', b: 'newer', c: '3' });
    expect(await stored()).toEqual({ a: [sealed], b: [sealed], c: '3' });
  });

  test('keeps its value if only that changes', async () => {
    await put({ updates: { a: '1', b: '2' } });
    expect(await put({ updates: { b: '3' }, secret: ['a', 'unknown'] })).toEqual(success);
    expect(await shown()).toEqual({ a: '1', b: '3' });
    expect(await stored()).toEqual({ a: [sealed], b: '3' });
  });

  test('is secret no more after `secret: false`', async () => {
    await put({ key: 'a', value: '1', secret: true });
    expect(await put({ key: 'a', value: '1', secret: false })).toEqual(success);
    expect(await stored()).toEqual({ a: '1' });
  });

  test('is compared with `expected` by its value', async () => {
    await put({ key: 'a', value: '1', secret: true });
    expect(await put({ key: 'a', value: '2', expected: '0' })).toEqual(
      errorResponse(409, 'Changed meanwhile: a has another value now.'),
    );
    expect(await put({ key: 'a', value: '2', expected: null })).toEqual(
      errorResponse(409, 'Changed meanwhile: a is set now.'),
    );
    expect(await put({ updates: { b: '1' }, expected: { a: '1' } })).toEqual(success);
  });

  test('is not used after SQL has written it, and opens in no other row', async () => {
    await put({ updates: { a: '1', b: '2' }, secret: ['a', 'b'] });
    const unreadable = {
      a: 'The setting a cannot be decrypted, because SQL has written or copied it. Write it again.',
    };
    const show = async () => {
      const answer = await backoffice.superadmin.client.call('settings.show', {});
      return { settings: answer.settings, unreadable: answer.unreadable };
    };
    await backoffice.sql("update settings set setting_value = 'by SQL' where setting_key = 'a'");
    expect(await show()).toEqual({ settings: { b: '2' }, unreadable });
    await backoffice.sql(
      "update settings set setting_value = (select setting_value from settings where setting_key = 'b')",
    );
    expect(await show()).toEqual({ settings: { b: '2' }, unreadable });
    const expected = (value: string | null) => put({ key: 'a', value: '3', expected: value });
    expect(await expected(null)).toEqual(errorResponse(409, 'Changed meanwhile: a is set now.'));
    expect(await expected('1')).toEqual(errorResponse(500, unreadable.a));
    expect(await put({ key: 'a', value: '3' })).toEqual(success);
    expect(await shown()).toEqual({ a: '3', b: '2' });
  });

  test('leaves its value in no event and no audit record', async () => {
    await put({ key: 'password', value: 'hunter2', secret: true });
    await put({ key: 'password', value: 'hunter3' });
    await put({ updates: { password: 'hunter4' }, expected: { password: 'hunter3' } });
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
    expect((await shown()).raced).toMatch(/^value \d+$/);
  });

  test.for([
    [{ key: 'a', value: '1', secret: 'yes' }, 'secret must be true or false.'],
    [{ updates: { a: '1' }, secret: true }, 'secret must be an array of keys.'],
    [{ updates: { a: '1' }, secret: [1] }, 'secret must be an array of keys.'],
    [
      { key: 'timezone', value: 'UTC', secret: true },
      'timezone cannot be secret, because the service itself reads it.',
    ],
    [
      { updates: { audit_retention_days: '90' }, secret: ['audit_retention_days'] },
      'audit_retention_days cannot be secret, because the service itself reads it.',
    ],
  ] as const)('rejects %j', async ([body, message]) => {
    expect(await put(body)).toEqual(errorResponse(400, message));
    expect(await stored()).toEqual({});
  });
});

test('a server without the key writes no secret, says which key it lacks, and shows all other settings', async () => {
  await put({ updates: { a: '1' }, secret: ['a'] });
  const keyless = await startTestService({
    DATABASE_URL: backoffice.service.databaseUrl,
    BACKOFFICE_ENCRYPTION_KEY: '',
  });
  try {
    const { client } = await keyless.signIn('superadmin');
    const refused = { code: 'not_configured', status: 501 };
    for (const body of [
      { key: 'b', value: '2', secret: true },
      { key: 'a', value: '2' },
    ] as const) {
      await expect(client.call('settings.update', body)).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('Set BACKOFFICE_ENCRYPTION_KEY'),
      });
    }
    await expect(client.call('webhooks.create', { url: 'https://example.com' })).rejects.toMatchObject(
      refused,
    );
    expect(await stored()).toEqual({ a: [sealed] });
    expect(await client.call('settings.update', { key: 'plain', value: 'x' })).toEqual({ success: true });
    expect(await client.call('settings.show', { section: 'none' })).toMatchObject({
      settings: { plain: 'x' },
      unreadable: {
        a: expect.stringMatching(/^The setting a is encrypted with the key [0-9a-f]{8}\. Add that key/),
      },
    });
    expect(await client.call('settings.delete', { key: 'a' })).toEqual({ success: true });
    expect((await client.call('settings.show', { section: 'none' })).unreadable).toBeUndefined();
  } finally {
    await keyless.stop();
  }
});
