import { beforeEach, describe, expect, test } from 'vitest';
import { atOnce, errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const put = (body: object) => backoffice.api.put('/settings', body);
const changed = (what: string) => errorResponse(409, `Changed meanwhile: ${what}.`);

async function stored(): Promise<Record<string, string>> {
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  return settings;
}

beforeEach(async () => {
  await backoffice.sql('truncate settings');
  await backoffice.sql(
    `insert into settings (setting_key, setting_value) values ('motto', 'Old'), ('name', 'N')`,
  );
});

describe('a change', () => {
  test('with check refuses only an invalid value of a setting that the service reads, and names it', async () => {
    const wrong = { updates: { motto: 'x', accent_color: 'red' }, check: true };
    const named = { status: 400, param: 'updates.accent_color' };
    const { client } = backoffice.superadmin;
    await expect(client.call('settings.update', wrong)).rejects.toMatchObject(named);
    expect(await stored()).toEqual({ motto: 'Old', name: 'N' });
    expect(await put({ updates: { timezone: 'Asia/Tokyo', other: 'Mars' }, check: true })).toEqual(success);
    // Node knows these zones, and Postgres does not.
    for (const timezone of ['CST', 'IST', 'EAT', 'US/Pacific-New']) {
      const zone = { message: expect.stringContaining('IANA database'), status: 400 };
      const one = client.call('settings.update', { key: 'timezone', value: timezone, check: true });
      await expect(one).rejects.toMatchObject({ ...zone, param: 'value' });
      const batch = client.call('settings.update', { updates: { timezone, motto: 'x' }, check: true });
      await expect(batch).rejects.toMatchObject({ ...zone, param: 'updates.timezone' });
    }
    expect(await stored()).toEqual({ motto: 'Old', name: 'N', timezone: 'Asia/Tokyo', other: 'Mars' });
    for (const timezone of ['us/pacific', 'CET', 'Etc/GMT+5', ''])
      expect(await put({ key: 'timezone', value: timezone, check: true })).toEqual(success);
    // Without check every value is taken, as the contract says.
    expect(await put({ key: 'accent_color', value: 'red', check: false })).toEqual(success);
    expect(await put({ key: 'timezone', value: 'EAT' })).toEqual(success);
  });

  test('with remove writes and deletes together, and records both; a key that is in both is written', async () => {
    const request = { updates: { fresh: '1', name: 'O' }, remove: ['motto', 'unknown', 'motto', 'name'] };
    expect(await put({ ...request, expected: { motto: 'Older', fresh: null } })).toEqual(
      changed('motto has another value now'),
    );
    expect(await put({ ...request, expected: { motto: 'Old', fresh: null } })).toEqual(success);
    expect(await stored()).toEqual({ name: 'O', fresh: '1' });
    const records = await auditRecordsOf(backoffice, 'settings.update');
    expect(records.slice(-2)).toMatchObject([
      { event: 'settings.updated', after: { keys: ['fresh', 'name'] } },
      { event: 'setting.deleted', subject_id: 'motto', before: { is_set: true }, after: null },
    ]);
  });

  test('GET settings tells of each setting what is asked for with `include=details`', async () => {
    await put({ key: 'password', value: 'correct horse', secret: true });
    const { email, client } = backoffice.superadmin;
    const show = (include = 'details') => client.call('settings.show', { section: 'none', include });
    const { settings, details } = await show();
    expect(settings).toEqual({ motto: 'Old', name: 'N' });
    const updated_at = expect.stringMatching(timestampPattern);
    expect(details).toEqual({
      motto: { is_secret: false, updated_at, updated_by: null },
      name: { is_secret: false, updated_at, updated_by: null },
      password: { is_secret: true, updated_at, updated_by: email },
    });
    const colleague = await backoffice.service.signIn('user');
    await colleague.client.call('settings.update', { updates: { motto: 'Newer' } });
    expect((await show()).details).toMatchObject({ motto: { updated_by: colleague.email } });
    expect(await show('')).not.toHaveProperty('details');
  });
});

describe('with what the caller saw', () => {
  test('settings are written if they still have that value, or are still not set, one by one and in a batch', async () => {
    expect(await put({ key: 'motto', value: 'New', expected: 'Old' })).toEqual(success);
    expect(await put({ key: 'fresh', value: '1', expected: null })).toEqual(success);
    const updates = { motto: 'Newer', ['__proto__']: 'p' };
    const expected = { motto: 'New', name: 'N', ['__proto__']: null };
    expect(await put({ updates, expected })).toEqual(success);
    expect(await put({ updates: { name: 'O' }, expected: { ['__proto__']: 'p' } })).toEqual(success);
    const written = { motto: 'Newer', name: 'O', fresh: '1', ['__proto__']: 'p' };
    expect(Object.entries(await stored()).toSorted()).toEqual(Object.entries(written).toSorted());
  });

  test.for<[body: object, what: string]>([
    [{ key: 'motto', value: 'New', expected: 'Another' }, 'motto has another value now'],
    [{ key: 'motto', value: 'New', expected: '' }, 'motto has another value now'],
    [{ key: 'motto', value: 'New', expected: null }, 'motto is set now'],
    [{ key: 'unknown', value: 'New', expected: 'Old' }, 'unknown is no longer set'],
    // The settings that differ are named without their values.
    [
      { updates: { motto: 'x' }, expected: { motto: null, name: 'M', 'a\u001bb': 's3cret' } },
      'motto is set now; name has another value now; a\uFFFDb is no longer set',
    ],
  ])('nothing is written or recorded for %j: %s', async ([body, what]) => {
    const before = [await stored(), await auditRecordsOf(backoffice, 'settings.update')];
    expect(await put(body)).toEqual(changed(what));
    expect([await stored(), await auditRecordsOf(backoffice, 'settings.update')]).toEqual(before);
  });

  describe('of changes at once with the same expectation', () => {
    test.for([
      [{ key: 'motto', value: 'New', expected: 'Old' }, 'motto has another value now'],
      [{ updates: { fresh: 'New' }, expected: { fresh: null } }, 'fresh is set now'],
    ] as const)('one succeeds: %j', async ([body, what]) => {
      const answers = await atOnce(10, () => put(body));
      expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(changed(what)));
    });

    test('batches with and without it, in opposite orders, do not deadlock', async () => {
      const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
      const answers = await atOnce(20, (index) => {
        const order = index % 2 ? keys : keys.toReversed();
        const updates = Object.fromEntries(order.map((key) => [key, `batch ${index}`]));
        const expected = Object.fromEntries(order.slice(0, 100).map((key) => [key, null]));
        return put(index % 3 ? { updates } : { updates, expected });
      });
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const values = new Set(
        Object.entries(await stored()).flatMap(([key, value]) => (key.startsWith('key') ? [value] : [])),
      );
      expect(values.size).toBe(1);
    });
  });
});

test('a deletion removes the setting with that key and no other, and succeeds for an unknown key', async () => {
  // Some are unusual in a URL or in JavaScript.
  const keys = ['site_name', 'SITE_NAME', '', ' ', 'a&b=c', '%', '__proto__', 'Ω 🐛'];
  await backoffice.sql('truncate settings');
  await put({ updates: Object.fromEntries(keys.map((key) => [key, 'kept'])) });
  const remove = (key: string) => backoffice.api.delete(`/settings?key=${encodeURIComponent(key)}`);
  for (const key of ['unknown', 'site_name ', 'site%']) expect(await remove(key)).toEqual(success);
  for (const [index, key] of keys.entries()) {
    expect(Object.keys(await stored()).sort()).toEqual(keys.slice(index).sort());
    expect(await remove(key)).toEqual(success);
  }
  expect(await stored()).toEqual({});
});

test('takes a batch of 1,000 keys, and a value of 100,000 characters', async () => {
  const updates = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 'v']));
  expect(await put({ updates })).toEqual(success);
  const tooMany = errorResponse(400, 'expected must have at most 1,000 keys.');
  expect(await put({ updates: {}, expected: { ...updates, k1000: 'v' } })).toEqual(tooMany);
  expect(await put({ key: 'c', value: ` ${'🐛'.repeat(100_000)} ` })).toEqual(success);
});

test('rejects an update that would exceed 16 MiB of settings, and changes nothing', async () => {
  const { sql } = backoffice;
  // The longest value that a request may write.
  const longest = 'x'.repeat(100_000);
  await sql(
    `insert into settings (setting_key, setting_value) select 'k' || n, $1 from generate_series(1, 167) as n`,
    [longest],
  );
  const tooMuch = errorResponse(409, 'The settings would exceed 16 MiB in total. Remove some first.');
  expect(await put({ updates: { small: 'v', large: longest } })).toEqual(tooMuch);
  expect(await sql(`select from settings where setting_key in ('small', 'large')`)).toEqual([]);
  expect(await put({ key: 'small', value: 'v' })).toEqual(success);
  // Replacing a value of the same size exceeds nothing.
  expect(await put({ key: 'k1', value: longest })).toEqual(success);
  expect(await put({ updates: { large: longest }, remove: ['k2'] })).toEqual(success);
});
