import { beforeAll, describe, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

beforeAll(async () => {
  await backoffice.sql(`
    insert into admins (email, username) select n || '@example.com', 'Filler' from generate_series(1, 24) as n
  `);
});

async function pagination(query: string) {
  const { status, body } = await backoffice.api.get(`/admins?${query}`);
  expect(status).toBe(200);
  return (body as { pagination: { page: number; limit: number } }).pagination;
}

describe('page and limit', () => {
  test.for(['abc', '', ' ', 'NaN', 'null', 'undefined', '{}', '[]', 'true', '१', '🐛', 'x'.repeat(5000)])(
    'that are not numeric get their defaults: %j',
    async (text) => {
      const value = encodeURIComponent(text);
      expect(await pagination(`page=${value}&limit=${value}`)).toMatchObject({ page: 1, limit: 10 });
    },
  );

  test.for([
    ['2.9', 2, 2],
    ['-2.9', 1, 1],
    ['0.5', 1, 1],
    ['-1e9', 1, 1],
    ['-99999999999999999999999', 1, 1],
    ['+3', 3, 3],
    [' 3 ', 3, 3],
    ['007', 7, 7],
  ] as const)(
    'that are fractional, negative or unusually written are truncated and clamped: %j',
    async ([text, page, limit]) => {
      const value = encodeURIComponent(text);
      expect(await pagination(`page=${value}&limit=${value}`)).toMatchObject({ page, limit });
    },
  );

  test.for(['9007199254740991', '9223372036854775807', '9223372036854775808', '9'.repeat(400)])(
    'that are huge give a page after the last, with a limit of 100: %j',
    async (value) => {
      const { status, body } = await backoffice.api.get(`/admins?page=${value}&limit=${value}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ admins: [], pagination: { limit: 100, total: 25, totalPages: 1 } });
      const { page } = (body as { pagination: { page: number } }).pagination;
      expect(page).toSatisfy(Number.isSafeInteger);
      expect(page).toBeGreaterThan(1);
    },
  );
});

describe('a parameter that is given twice has its first value', () => {
  test('page and limit', async () => {
    expect(await pagination('page=2&page=3&limit=5&limit=7')).toMatchObject({ page: 2, limit: 5 });
  });

  test('period', async () => {
    expect((await backoffice.api.get('/issues?period=daily&period=')).body).toHaveProperty('totalIssues');
    expect((await backoffice.api.get('/issues?period=&period=daily')).body).toHaveProperty('issues');
  });

  test('section', async () => {
    const { body } = await backoffice.api.get('/settings?section=none&section=scraping');
    expect(Object.keys(body as object).sort()).toEqual(['profile', 'settings']);
  });

  test('the id of an admin to delete', async () => {
    const rows = await backoffice.sql("select id from admins where username = 'Filler' limit 2");
    const [first, second] = rows.map(({ id }) => id);
    expect((await backoffice.api.delete(`/admins?id=${first}&id=${second}`)).status).toBe(200);
    expect(await backoffice.sql('select id from admins where id in ($1, $2)', [first, second])).toEqual([
      { id: second },
    ]);
  });
});

test.for(['2026-13', '2026-8', '1969-12', '2026-08-01', 'last', '0000-00', '9999-12'])(
  'month=%s is refused',
  async (month) => {
    const { status, body } = await backoffice.api.get(`/settings?section=scraping&month=${month}`);
    const error = /^9/.test(month)
      ? 'month must not be in the future.'
      : 'month must be a calendar month such as 2026-08.';
    expect([status, body]).toEqual([400, { error }]);
  },
);

describe('a parameter name is literal', () => {
  test.for([
    'period[]=daily',
    'period[a]=daily',
    'period.a=daily',
    '__proto__[period]=daily',
    'Period=daily',
  ])('%s is a different parameter', async (query) => {
    expect((await backoffice.api.get(`/issues?${query}`)).body).toHaveProperty('issues');
  });

  test.for(['%', '%zz', '%ff%fe', '&&&', '=', '?', 'a=1&'.repeat(2000)])(
    'unusual query strings are accepted: %j',
    async (query) => {
      expect((await backoffice.api.get(`/issues?${query}`)).body).toHaveProperty('issues');
    },
  );
});
