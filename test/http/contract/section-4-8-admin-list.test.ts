import { beforeAll, describe, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Inserts 120 admins. With the superadmin, who is the newest, there are thirteen pages of ten. */
beforeAll(async () => {
  await backoffice.sql(`
    insert into admins (id, email, username, created_at)
    select 'admin_1_' || lpad(n::text, 6, '0'), n || '@example.com', 'Admin ' || n, timestamptz '2026-01-01' - make_interval(days => n)
    from generate_series(1, 117) as n
  `);
  // Three with the same time, not inserted in the order of their ids.
  for (const id of ['admin_2_b', 'admin_2_c', 'admin_2_a']) {
    await backoffice.sql(
      "insert into admins (id, email, username, created_at) values ($1, $1, 'Tie', '2026-02-01T00:00:00Z')",
      [id],
    );
  }
});

async function page(query: string) {
  const { status, body } = await backoffice.api.get(`/admins${query}`);
  expect(status).toBe(200);
  return body as { admins: { id: string; created_at: string }[]; pagination: object };
}

describe('section 4.8: page and limit', () => {
  test.for([
    ['are 1 and 10 by default', '', 1, 10, 13, 10],
    ['are 1 and 10 when empty', '?page=&limit=', 1, 10, 13, 10],
    ['are used as given', '?page=2&limit=7', 2, 7, 18, 7],
    ['a page of 0 is the first', '?page=0', 1, 10, 13, 10],
    ['a page below 0 is the first', '?page=-3', 1, 10, 13, 10],
    ['the last page has the remaining admins', '?page=13', 13, 10, 13, 1],
    ['a page beyond the last is empty', '?page=14', 14, 10, 13, 0],
    ['a limit of 1 is the minimum', '?limit=1', 1, 1, 121, 1],
    ['a limit of 0 is clamped to 1', '?limit=0', 1, 1, 121, 1],
    ['a limit below 0 is clamped to 1', '?limit=-10', 1, 1, 121, 1],
    ['a limit of 100 is the maximum', '?limit=100', 1, 100, 2, 100],
    ['a limit of 101 is clamped to 100', '?limit=101', 1, 100, 2, 100],
    ['a huge limit is clamped to 100', '?limit=1000000', 1, 100, 2, 100],
    ['total divided by limit without a remainder is not rounded up', '?limit=11', 1, 11, 11, 11],
  ] as const)('%s', async ([, query, number, limit, totalPages, size]) => {
    const { admins, pagination } = await page(query);
    expect(pagination).toEqual({ page: number, limit, total: 121, totalPages });
    expect(admins).toHaveLength(size);
  });
});

test('section 4.8: admins are ordered by created_at ascending, ties by id ascending', async () => {
  const { admins: first } = await page('?limit=3');
  expect(first.map(({ id }) => id)).toEqual(['admin_1_000117', 'admin_1_000116', 'admin_1_000115']);
  const { admins: last } = await page('?page=2&limit=100');
  expect(last.slice(-4).map(({ id }) => id)).toEqual([
    'admin_2_a',
    'admin_2_b',
    'admin_2_c',
    backoffice.superadmin.id,
  ]);
});

test('section 4.8: the pages together have every admin once, in order', async () => {
  const pages = await Promise.all(Array.from({ length: 13 }, (_, index) => page(`?page=${index + 1}`)));
  const admins = pages.flatMap((answer) => answer.admins);
  expect(new Set(admins.map(({ id }) => id)).size).toBe(121);
  expect(admins).toEqual(
    admins.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1)),
  );
});

test('section 4.8: the answer has only admins and pagination', async () => {
  expect(Object.keys(await page('')).sort()).toEqual(['admins', 'pagination']);
});
