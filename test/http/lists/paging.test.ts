import { beforeEach, describe, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { ask, idsOf, type ListName, lists, rowsOf, walk } from '../../support/http/lists.ts';

const backoffice = backofficeOfThisFile();

/** Makes rows with ids from `first` on, three to a time and several times to a millisecond. */
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
    'are the list, each row once and as it is there, with ties in its time: limit %i',
    async (limit) => {
      const { rows } = await ask(backoffice, name);
      const pages = await walk(backoffice, name, { limit });
      expect(rows).toHaveLength(23);
      expect(rowsOf(pages)).toStrictEqual(rows);
      expect(pages).toHaveLength(Math.ceil(rows.length / limit));
      expect(pages.slice(0, -1).map((page) => page.rows.length)).toEqual(Array(pages.length - 1).fill(limit));
    },
  );

  test('end with a nextCursor of null, also where the last is full', async () => {
    expect((await ask(backoffice, name, { limit: 23 })).nextCursor).toBeNull();
    expect((await ask(backoffice, name, { limit: 22 })).nextCursor).toBeTypeOf('string');
    expect((await ask(backoffice, name, { limit: 1000 })).nextCursor).toBeNull();
  });

  test('are one, and empty, where nothing matches', async () => {
    expect(await ask(backoffice, name, { limit: 5, q: 'nothing' })).toEqual({ rows: [], nextCursor: null });
  });

  test('hold a thousand rows at most, of more', async () => {
    await insert(name, 24, 1001);
    const pages = await walk(backoffice, name, { limit: 1000 });
    expect(pages.map(({ rows }) => rows.length)).toEqual([1000, 1]);
    expect(idsIn(pages)).toEqual(await idsOf(backoffice, name));
  });

  test('visit what stays exactly once, while newer and older rows are added', async () => {
    const before = await idsOf(backoffice, name);
    let next = 100;
    const pages = await walk(backoffice, name, { limit: 4 }, async () => {
      for (const day of ['2026-03-02', '2026-03-01', '2026-02-28']) await insert(name, next, next++, day);
    });
    expect(idsIn(pages).filter((id) => before.includes(id))).toEqual(before);
    const added = idsIn(pages).length - before.length;
    expect(added).toBeGreaterThan(2);
    expect(new Set(idsIn(pages)).size).toBe(before.length + added);
  });

  test('visit what stays exactly once, while rows are removed, the one that a cursor stands for too', async () => {
    const before = await idsOf(backoffice, name);
    const removed: unknown[] = [];
    const pages = await walk(backoffice, name, { limit: 4 }, async ({ rows }) => {
      const last = rows.at(-1)?.id;
      const later = before[before.indexOf(last ?? '') + 2];
      await backoffice.sql(`delete from ${name} where id in ($1, $2)`, [last, later ?? last]);
      if (later !== undefined) removed.push(later);
    });
    expect(removed.length).toBeGreaterThan(2);
    expect(idsIn(pages)).toEqual(before.filter((id) => !removed.includes(id)));
  });

  test('are those of a filtered list, with the same filter each time', async () => {
    const until = '2026-03-01T00:00:00.002Z';
    const filtered = await idsOf(backoffice, name, { q: 'paged', until });
    expect(filtered.length).toBeGreaterThan(10);
    expect(filtered.length).toBeLessThan(23);
    expect(idsIn(await walk(backoffice, name, { q: 'paged', until, limit: 3 }))).toEqual(filtered);
  });

  test('leave the rest of the list to a cursor without a limit', async () => {
    const ids = await idsOf(backoffice, name);
    const { nextCursor: cursor } = await ask(backoffice, name, { limit: 9 });
    const rest = await ask(backoffice, name, { cursor: cursor ?? null });
    expect(rest.rows.map(({ id }) => id)).toEqual(ids.slice(9));
    expect(rest.nextCursor).toBeUndefined();
  });
});
