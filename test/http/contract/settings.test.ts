import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const always = ['settings', 'profile'];
const tokens = ['tokenUsage', 'tokenAlerts', 'tokenDailyBreakdown'];
const scraping = ['scraping', 'scrapingErrors'];

test.for([
  ['absent', '/settings', [...always, ...tokens, ...scraping]],
  ['token-usage', '/settings?section=token-usage', [...always, ...tokens]],
  ['scraping', '/settings?section=scraping', [...always, ...scraping]],
  ['profile', '/settings?section=profile', always],
  ['with another value', '/settings?section=nonsense', always],
  ['in upper case', '/settings?section=SCRAPING', always],
] as const)('section 4.6: section %s has exactly its fields', async ([, path, fields]) => {
  const { status, body } = await backoffice.api.get(path);
  expect(status).toBe(200);
  expect(Object.keys(body as object).sort()).toEqual([...fields].sort());
});

test('section 4.6: settings maps each key to its value', async () => {
  await backoffice.sql(
    "insert into settings (setting_key, setting_value) values ('b', '2'), ('a', ''), ('ü ', ' x ')",
  );
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  expect(settings).toEqual({ a: '', b: '2', 'ü ': ' x ' });
});

test('section 4.6: profile is the signed-in admin of any role, with createdAt', async () => {
  for (const role of ['user', 'admin', 'superadmin'] as const) {
    const someone = await backoffice.service.signIn(role, `profile-${role}@example.com`);
    const { profile } = await someone.client.call('settings.show', { section: 'none' });
    expect(profile).toEqual({
      id: someone.id,
      email: `profile-${role}@example.com`,
      username: `profile-${role}`,
      role,
      createdAt: expect.stringMatching(timestampPattern),
    });
  }
});

test('section 4.6: profile.createdAt equals created_at in the list of admins', async () => {
  const { client, id } = backoffice.superadmin;
  const { profile } = await client.call('settings.show');
  const { admins } = await client.call('admins.list', { limit: 100 });
  expect(profile?.createdAt).toBe(admins.find((admin) => admin.id === id)?.created_at);
});

test('section 4.6: profile reflects changes at once', async () => {
  const someone = await backoffice.service.signIn('admin');
  await someone.client.call('admins.update', { id: someone.id, username: 'Renamed' });
  const { profile } = await someone.client.call('settings.show');
  expect(profile).toMatchObject({ id: someone.id, username: 'Renamed' });
});

test('section 4.6: scrapingErrors has at most the latest 20, newest first', async () => {
  await backoffice.sql("insert into scraping_runs (run_id, source) values ('run', 'shop')");
  await backoffice.sql(`
    insert into scraping_errors (run_id, url, message, occurred_at)
    select 'run', 'https://example.com', 'error ' || age, now() - make_interval(mins => age)
    from generate_series(1, 25) as age
    order by random()
  `);
  const { scrapingErrors } = await backoffice.superadmin.client.call('settings.show', {
    section: 'scraping',
  });
  expect(scrapingErrors?.map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, index) => `error ${index + 1}`),
  );
});

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

describe('changing settings', () => {
  beforeEach(async () => {
    await backoffice.sql('delete from settings');
  });

  const put = (body: unknown) => backoffice.api.put('/settings', body);

  async function stored(): Promise<Record<string, string>> {
    const rows = await backoffice.sql('select setting_key, setting_value from settings');
    return Object.fromEntries(rows.map((row) => [row.setting_key, row.setting_value]));
  }

  describe('section 4.7: a batch', () => {
    test('writes each pair, with new and existing keys', async () => {
      await put({ updates: { a: '1', b: '2' } });
      expect(await put({ updates: { b: '3', c: '4' } })).toEqual(success);
      expect(await stored()).toEqual({ a: '1', b: '3', c: '4' });
    });

    test('stores keys as given and does not trim values', async () => {
      const updates = { ' key with-dashes.and ünïcode 🐛': '  value \n', '': 'empty key', 'A b': '' };
      expect(await put({ updates })).toEqual(success);
      expect(await stored()).toEqual(updates);
    });

    test('converts values to strings', async () => {
      expect(await put({ updates: { n: 5, f: 1.5, t: true, z: null, s: '' } })).toEqual(success);
      expect(await stored()).toEqual({ n: '5', f: '1.5', t: 'true', z: 'null', s: '' });
    });

    test('stores objects and arrays as JSON text', async () => {
      expect(await put({ updates: { o: { a: [1] }, l: ['x', null] } })).toEqual(success);
      expect(await stored()).toEqual({ o: '{"a":[1]}', l: '["x",null]' });
    });

    test('takes precedence over key and value', async () => {
      expect(await put({ updates: { a: '1' }, key: 'b', value: '2' })).toEqual(success);
      expect(await stored()).toEqual({ a: '1' });
    });

    test('takes precedence even when it is empty', async () => {
      expect(await put({ updates: {}, key: 'b', value: '2' })).toEqual(success);
      expect(await stored()).toEqual({});
    });
  });

  describe('section 4.7: a single setting', () => {
    test('can be written and overwritten', async () => {
      await put({ key: 'site_name', value: 'One' });
      expect(await put({ key: 'site_name', value: 'Two' })).toEqual(success);
      expect(await stored()).toEqual({ site_name: 'Two' });
    });

    test('removes every character other than ASCII letters, digits and underscore from its key', async () => {
      expect(await put({ key: ' Site-Name_2.ü/é🐛٣ ', value: 'x' })).toEqual(success);
      expect(await stored()).toEqual({ SiteName_2: 'x' });
    });

    test('converts its key to a string', async () => {
      expect(await put({ key: 42, value: 'x' })).toEqual(success);
      expect(await stored()).toEqual({ 42: 'x' });
    });

    test.for([
      ['trimmed', ' \n x y \t', 'x y'],
      ['a number', 5, '5'],
      ['zero', 0, '0'],
      ['false', false, 'false'],
      ['null, which is not undefined', null, 'null'],
      ['an empty string', '', ''],
      ['blank', '   ', ''],
    ] as const)('converts its value to a string and trims it: %s', async ([, value, text]) => {
      expect(await put({ key: 'k', value })).toEqual(success);
      expect(await stored()).toEqual({ k: text });
    });

    test.for(['text', 5, true, null, ['a']])('is meant if updates is not an object: %j', async (updates) => {
      expect(await put({ updates })).toEqual(errorResponse(400, 'key and value are required'));
      expect(await put({ updates, key: 'k', value: 'v' })).toEqual(success);
      expect(await stored()).toEqual({ k: 'v' });
    });
  });
});
