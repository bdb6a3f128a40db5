import { beforeEach, describe, expect, test } from 'vitest';
import { fetchAllPages, fetchPage, idsOf, type ListName, lists, rowsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Inserts rows with ids from `first` on. Three rows share each time, and several times share a millisecond. */
async function insert(name: ListName, first: number, last: number, day = '2026-03-01'): Promise<void> {
  const at = `timestamptz '${day}Z' + (n / 3) * interval '300 microseconds'`;
  await backoffice.sql(
    name === 'issues'
      ? `insert into issues (id, title, created_at) select n, 'Paged', ${at} from generate_series($1::int, $2) as n`
      : `insert into conversations (id, visitor_name, visitor_email, updated_at)
         select 'conv_' || n, 'Paged', '', ${at} from generate_series($1::int, $2) as n`,
    [first, last],
  );
}

const idsIn = (pages: Parameters<typeof rowsOf>[0]) => rowsOf(pages).map(({ id }) => id);

describe.for(lists)('the pages of the $rows', ({ rows: name }) => {
  beforeEach(async () => {
    await backoffice.sql(`truncate ${name} cascade`);
    await insert(name, 1, 23);
  });

  test.for([1, 2, 3, 7, 22, 23, 24, 1000])(
    'have each row of the list once and unchanged, also with equal times: limit %i',
    async (limit) => {
      const { rows } = await fetchPage(backoffice, name);
      const pages = await fetchAllPages(backoffice, name, { limit });
      expect(rows).toHaveLength(23);
      expect(rowsOf(pages)).toStrictEqual(rows);
      expect(pages).toHaveLength(Math.ceil(rows.length / limit));
      expect(pages.slice(0, -1).map((page) => page.rows.length)).toEqual(Array(pages.length - 1).fill(limit));
    },
  );

  test('end with a nextCursor of null, also after a full page', async () => {
    expect((await fetchPage(backoffice, name, { limit: 23 })).nextCursor).toBeNull();
    expect((await fetchPage(backoffice, name, { limit: 22 })).nextCursor).toBeTypeOf('string');
    expect((await fetchPage(backoffice, name, { limit: 1000 })).nextCursor).toBeNull();
  });

  test('are a single empty page if nothing matches', async () => {
    expect(await fetchPage(backoffice, name, { limit: 5, q: 'nothing' })).toEqual({
      rows: [],
      nextCursor: null,
    });
  });

  test('have at most 1,000 rows', async () => {
    await insert(name, 24, 1001);
    const pages = await fetchAllPages(backoffice, name, { limit: 1000 });
    expect(pages.map(({ rows }) => rows.length)).toEqual([1000, 1]);
    expect(idsIn(pages)).toEqual(await idsOf(backoffice, name));
  });

  test('have each existing row exactly once while newer and older rows are added', async () => {
    const before = await idsOf(backoffice, name);
    let next = 100;
    const pages = await fetchAllPages(backoffice, name, { limit: 4 }, async () => {
      for (const day of ['2026-03-02', '2026-03-01', '2026-02-28']) await insert(name, next, next++, day);
    });
    expect(idsIn(pages).filter((id) => before.includes(id))).toEqual(before);
    const added = idsIn(pages).length - before.length;
    expect(added).toBeGreaterThan(2);
    expect(new Set(idsIn(pages)).size).toBe(before.length + added);
  });

  test('have each remaining row exactly once while rows are deleted, including the one of a cursor', async () => {
    const before = await idsOf(backoffice, name);
    const removed: unknown[] = [];
    const pages = await fetchAllPages(backoffice, name, { limit: 4 }, async ({ rows }) => {
      const last = rows.at(-1)?.id;
      const later = before[before.indexOf(last ?? '') + 2];
      await backoffice.sql(`delete from ${name} where id in ($1, $2)`, [last, later ?? last]);
      if (later !== undefined) removed.push(later);
    });
    expect(removed.length).toBeGreaterThan(2);
    expect(idsIn(pages)).toEqual(before.filter((id) => !removed.includes(id)));
  });

  test('follow a filter that is repeated with each request', async () => {
    const until = '2026-03-01T00:00:00.002Z';
    const filtered = await idsOf(backoffice, name, { q: 'paged', until });
    expect(filtered.length).toBeGreaterThan(10);
    expect(filtered.length).toBeLessThan(23);
    expect(idsIn(await fetchAllPages(backoffice, name, { q: 'paged', until, limit: 3 }))).toEqual(filtered);
  });

  test('are followed by the rest of the list with a cursor and no limit', async () => {
    const ids = await idsOf(backoffice, name);
    const { nextCursor: cursor } = await fetchPage(backoffice, name, { limit: 9 });
    const rest = await fetchPage(backoffice, name, { cursor: cursor ?? null });
    expect(rest.rows.map(({ id }) => id)).toEqual(ids.slice(9));
    expect(rest.nextCursor).toBeUndefined();
  });
});
