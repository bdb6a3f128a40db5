import { expect, test } from 'vitest';
import { timestampPattern } from '../../support/here/requests.ts';
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
