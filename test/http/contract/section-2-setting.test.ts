import { expect, test } from 'vitest';
import { success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const rowsOf = (key: string) =>
  backoffice.sql('select setting_value, updated_at from settings where setting_key = $1', [key]);

test('section 2: a setting is a pair of strings with the time of its last write', async () => {
  expect(await backoffice.api.put('/settings', { key: 'site_name', value: 'Example' })).toEqual(success);
  expect(await rowsOf('site_name')).toEqual([{ setting_value: 'Example', updated_at: expect.any(Date) }]);
});

test.for([
  ['another value', { key: 'theme', value: 'dark' }, 'dark'],
  ['the same value', { key: 'theme', value: 'light' }, 'light'],
  ['a batch', { updates: { theme: 'light' } }, 'light'],
] as const)(
  'section 2: writing an existing key with %s keeps one row and refreshes its time',
  async ([, body, value]) => {
    await backoffice.sql(`
    insert into settings (setting_key, setting_value, updated_at) values ('theme', 'light', '2020-01-01T00:00:00Z')
    on conflict (setting_key) do update set setting_value = 'light', updated_at = '2020-01-01T00:00:00Z'
  `);
    expect(await backoffice.api.put('/settings', body)).toEqual(success);
    const [row, ...others] = await rowsOf('theme');
    expect(others).toEqual([]);
    expect(row?.setting_value).toBe(value);
    expect(Math.abs(row?.updated_at.getTime() - Date.now())).toBeLessThan(60_000);
  },
);

test('section 2: keys that differ in case are two settings', async () => {
  await backoffice.api.put('/settings', { updates: { Motto: 'upper', motto: 'lower' } });
  const { settings } = await backoffice.superadmin.client.call('settings.show');
  expect(settings).toMatchObject({ Motto: 'upper', motto: 'lower' });
});
