import { expect, test } from 'vitest';
import { errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Enough admins to fill the largest page. */
async function fillAdmins() {
  await backoffice.sql(`
    insert into admins (email, username) select n || '@filler.example', 'Filler' from generate_series(1, 130) as n
    on conflict do nothing
  `);
}

async function page(query: string) {
  await fillAdmins();
  const { body } = await backoffice.api.get(`/admins${query}`);
  return body as { admins: object[]; pagination: { page: number; limit: number } };
}

test('section 8: page size default: 10', async () => {
  const { admins, pagination } = await page('');
  expect([admins.length, pagination.limit]).toEqual([10, 10]);
});

test('section 8: page size range: 1 to 100', async () => {
  for (const [asked, given] of [
    ['-1', 1],
    ['0', 1],
    ['1', 1],
    ['100', 100],
    ['101', 100],
  ] as const) {
    const { admins, pagination } = await page(`?limit=${asked}`);
    expect([admins.length, pagination.limit]).toEqual([given, given]);
  }
});

test('section 8: minimum page: 1', async () => {
  const first = await page('?page=1');
  expect(await page('?page=0')).toEqual(first);
  expect(await page('?page=-1')).toEqual(first);
});

test('section 8: minimum password length: 6 characters, for POST and PUT admins', async () => {
  const { api } = backoffice;
  const { id } = await backoffice.service.signIn('user');
  const tooShort = errorResponse(400, 'Password must be at least 6 characters.');
  // Characters count, not bytes or UTF-16 units: five of these are 20 bytes and 10 units.
  for (const password of ['12345', '🐛🐛🐛🐛🐛']) {
    expect(await api.post('/admins', { email: 'five@example.com', password })).toEqual(tooShort);
    expect(await api.put('/admins', { id, password })).toEqual(tooShort);
  }
  for (const password of ['123456', '🐛🐛🐛🐛🐛🐛', '      ']) {
    expect(await api.put('/admins', { id, password })).toEqual(success);
  }
  expect(await api.post('/admins', { email: 'six@example.com', password: '123456' })).toMatchObject({
    status: 200,
  });
});

test('section 8: maximum username length: 100 characters, longer input is cut, for POST and PUT admins', async () => {
  const long = `${'a'.repeat(99)}bc`;
  const account = { email: 'long@example.com', password: '123456', username: long };
  const { body } = await backoffice.api.post('/admins', account);
  const { admin } = body as { admin: { id: string; username: string } };
  expect(admin.username).toBe(`${'a'.repeat(99)}b`);

  expect(await backoffice.api.put('/admins', { id: admin.id, username: `${'é'.repeat(5000)}` })).toEqual(
    success,
  );
  expect(await backoffice.sql('select username from admins where id = $1', [admin.id])).toEqual([
    { username: 'é'.repeat(100) },
  ]);
});

test('section 8: a default username from a long email is cut too', async () => {
  const email = `${'n'.repeat(120)}@example.com`;
  const { body } = await backoffice.api.post('/admins', { email, password: '123456' });
  expect(body).toMatchObject({ admin: { email, username: 'n'.repeat(100) } });
});

test('section 8: scraping errors returned: 20', async () => {
  await backoffice.sql("insert into scraping_runs (run_id, source) values ('run', 'shop')");
  await backoffice.sql("insert into scraping_errors (run_id) select 'run' from generate_series(1, 21)");
  const { client } = backoffice.superadmin;
  expect((await client.call('settings.show')).scrapingErrors).toHaveLength(20);
  expect((await client.call('settings.show', { section: 'scraping' })).scrapingErrors).toHaveLength(20);
});

test('section 8: aggregate windows: 24 hours, 30 days, 84 days, 365 days', async () => {
  for (const days of [1, 30, 84, 365]) {
    await backoffice.sql(
      `insert into issues (title, created_at) values
       ('Within', now() - make_interval(hours => $1 * 24, mins => -1)),
       ('Beyond', now() - make_interval(hours => $1 * 24, mins => 1))`,
      [days],
    );
  }
  const counted = async (period: string) => {
    const answer = await backoffice.superadmin.client.call('issues.list', { period });
    return 'severityData' in answer ? answer.severityData.reduce((sum, { count }) => sum + count, 0) : -1;
  };
  expect(await counted('hourly')).toBe(1);
  expect(await counted('daily')).toBe(3);
  expect(await counted('weekly')).toBe(5);
  expect(await counted('monthly')).toBe(7);
  expect(await counted('everything')).toBe(8);
});
