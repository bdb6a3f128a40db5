import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success } from '../../support/here/requests.ts';
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
  ['in upper case', '/settings?section=SCRAPING', always],
] as const)('section 4.6: section %s has exactly its fields', async ([, path, fields]) => {
  const { status, body } = await backoffice.api.get(path);
  expect(status).toBe(200);
  expect(Object.keys(body as object).sort()).toEqual([...fields].sort());
});

test('section 4.6: profile is the signed-in admin of any role as it is now, with createdAt', async () => {
  for (const role of ['user', 'admin', 'superadmin'] as const) {
    const { client, id, email } = await backoffice.service.signIn(role);
    await client.call('admins.update', { id, username: 'Renamed' });
    const { profile } = await client.call('settings.show', { section: 'none' });
    const { admins } = await client.call('admins.list', { limit: 100 });
    const createdAt = admins.find((admin) => admin.id === id)?.created_at;
    expect(profile).toEqual({ id, email, username: 'Renamed', role, createdAt });
  }
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

test.for([
  ['another value', { key: 'theme', value: 'dark' }, 'dark'],
  ['a batch', { updates: { theme: 'light' } }, 'light'],
] as const)(
  'section 2: writing an existing key with %s keeps one row and refreshes its time',
  async ([, body, value]) => {
    await backoffice.sql('delete from settings');
    await backoffice.sql(`insert into settings values ('theme', 'light', timestamptz '2020-01-01')`);
    expect(await backoffice.api.put('/settings', body)).toEqual(success);
    const rows = await backoffice.sql(
      `select setting_value, now() - updated_at < interval '1 minute' as is_refreshed from settings`,
    );
    expect(rows).toEqual([{ setting_value: value, is_refreshed: true }]);
  },
);

describe('changing settings', () => {
  beforeEach(async () => {
    await backoffice.sql('delete from settings');
  });

  const put = (body: unknown) => backoffice.api.put('/settings', body);

  /** Returns the value of each key (section 4.6). */
  async function stored(): Promise<Record<string, string>> {
    const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
    return settings;
  }

  const unusual = { ' key with-dashes.and ünïcode 🐛': '  value \n', '': 'empty key', 'A b': '', 'a b': 'x' };
  const scalars = { n: 5, f: 1.5, t: true, z: null, s: '' };
  const nested = { o: { a: [1] }, l: ['x', null] };

  test.for<[what: string, body: object, now: Record<string, string>]>([
    ['a batch stores keys as given and does not trim values', { updates: unusual }, unusual],
    [
      'a batch converts values to strings',
      { updates: scalars },
      { n: '5', f: '1.5', t: 'true', z: 'null', s: '' },
    ],
    [
      'a batch stores objects and arrays as JSON text',
      { updates: nested },
      { o: '{"a":[1]}', l: '["x",null]' },
    ],
    ['a batch comes before key and value', { updates: { a: '1' }, key: 'b', value: '2' }, { a: '1' }],
    ['an empty batch does too', { updates: {}, key: 'b', value: '2' }, {}],
    [
      'a single key keeps only ASCII letters, digits and underscores',
      { key: ' Site-Name_2.ü/é🐛٣ ', value: 'x' },
      { SiteName_2: 'x' },
    ],
    ['a single key becomes a string', { key: 42, value: 'x' }, { 42: 'x' }],
    ...[
      [' \n x y \t', 'x y'],
      [false, 'false'],
      [null, 'null'],
    ].map(([value, k = '']): [string, object, Record<string, string>] => [
      `the single value ${JSON.stringify(value)} becomes a string and is trimmed`,
      { key: 'k', value },
      { k: String(k) },
    ]),
  ])('section 4.7: %s', async ([, body, now]) => {
    expect(await put(body)).toEqual(success);
    expect(await stored()).toEqual(now);
  });

  test.for(['text', null, ['a']])(
    'section 4.7: a single setting is meant if updates is not an object: %j',
    async (updates) => {
      expect(await put({ updates })).toEqual(errorResponse(400, 'key and value are required'));
      expect(await put({ updates, key: 'k', value: 'v' })).toEqual(success);
      expect(await stored()).toEqual({ k: 'v' });
    },
  );
});
