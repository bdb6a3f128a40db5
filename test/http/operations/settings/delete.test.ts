import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success } from '../../../support/here/requests.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

/** Keys as a batch stores them. Some are unusual in a URL or in JavaScript. */
const keys = ['site_name', 'site_names', 'SITE_NAME', '', ' ', 'a&b=c', '%', '__proto__', 'Ω 🐛', 'a.b[0]'];

beforeEach(async () => {
  const updates = Object.fromEntries(keys.map((key) => [key, 'kept']));
  expect(await backoffice.api.put('/settings', { updates })).toEqual(success);
});

async function stored(): Promise<string[]> {
  const rows = await backoffice.sql<{ key: string }>('select setting_key as key from settings');
  return rows.map(({ key }) => key).sort();
}

const remove = (key: string) => backoffice.api.delete(`/settings?key=${encodeURIComponent(key)}`);

describe('DELETE settings', () => {
  test.for(keys)('removes the setting with that key and no other: %j', async (key) => {
    expect(await remove(key)).toEqual(success);
    expect(await stored()).toEqual(keys.filter((other) => other !== key).sort());
  });

  test('succeeds for an unknown key and removes nothing', async () => {
    for (const key of ['unknown', 'site_name ', 'site%', 'x'.repeat(5_000)]) {
      expect(await remove(key)).toEqual(success);
    }
    expect(await stored()).toEqual(keys.toSorted());
  });

  test.for(['', '?', '?id=site_name', '?Key=site_name', '?key[]=site_name'])(
    'without a key is 400, and removes nothing: %j',
    async (query) => {
      expect(await backoffice.api.delete(`/settings${query}`)).toEqual(errorResponse(400, 'key is required'));
      expect(await stored()).toEqual(keys.toSorted());
    },
  );

  test('takes effect in the next GET and wherever the setting applies', async () => {
    const { client } = backoffice.superadmin;
    const zone = async () => (await client.call('settings.show')).tokenUsage?.timezone;
    await client.call('settings.update', { key: 'timezone', value: 'Europe/Berlin' });
    expect(await zone()).toBe('Europe/Berlin');
    await client.call('settings.delete', { key: 'timezone' });
    expect(await zone()).toBe('UTC');
    expect((await client.call('settings.show')).settings).not.toHaveProperty('timezone');
  });
});
