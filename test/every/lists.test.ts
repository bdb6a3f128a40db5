import { beforeAll, describe, expect, test } from 'vitest';
import { fieldNamesOf } from '../../src/contract/field-names.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { ask, errorResponse } from '../support/here/requests.ts';
import { backofficeHere } from '../support/here.ts';
import { everyList, lists } from './lists.ts';

const backoffice = backofficeHere();

const rowCount = 23;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

beforeAll(async () => {
  for (const { list } of lists) await list.insert(backoffice.sql, range(1, rowCount));
});

test('every list has an entry in the table of lists', () => {
  expect(Object.keys(everyList).toSorted()).toEqual(lists.map(({ operation }) => operation.id).toSorted());
});

type Row = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string>>;

interface Page {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null | undefined;
  readonly total: number | undefined;
  /** Where the next one is. */
  readonly link: string | undefined;
}

/** Returns the values of the parameter `sort` in the order of the documentation. */
function documentedSorts({ errors = [] }: Operation): readonly string[] {
  const text = errors.map((error) => error.text).find((line) => line.startsWith('sort must be one of: '));
  return text?.slice('sort must be one of: '.length, -1).split(', ') ?? [];
}

/** Encodes a position as a cursor does. */
const base64url = (text: string) => Buffer.from(text, 'latin1').toString('base64url');
const encode = (position: unknown) => base64url(encodeURIComponent(JSON.stringify(position)));
const decode = (cursor: string): [at: string, id: unknown] =>
  JSON.parse(decodeURIComponent(Buffer.from(cursor, 'base64url').toString('latin1')));

describe.for(lists)('$operation.id', ({ operation, list }) => {
  const sorts = documentedSorts(operation);
  const errors = (operation.errors ?? []).map(({ text }) => text);
  const [latestFirst = ''] = sorts;
  const time = latestFirst.replace('-', '');

  const pathOf = (parameters: Parameters) =>
    `${operation.path}?${new URLSearchParams({ ...list.needs, ...parameters })}`;
  const fetchPage = (parameters: Parameters = {}) => fetchPath(pathOf(parameters));

  async function fetchPath(path: string): Promise<Page> {
    const answer = await ask(backoffice.service, path, { as: backoffice.superadmin });
    const { error, nextCursor, total, ...body } = answer.body as Record<string, unknown>;
    expect(error).toBeUndefined();
    const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    return { rows: body[operation.rows ?? ''], nextCursor, total, link } as Page;
  }

  /** Reads page by page, as each links to the next. Calls `between` after each page. */
  async function fetchPages(
    parameters: Parameters,
    between?: (page: Page, found: number) => Promise<unknown>,
  ): Promise<readonly Row[][]> {
    const pages: Row[][] = [];
    let path: string | undefined = pathOf(parameters);
    while (path !== undefined) {
      const page = await fetchPath(path);
      pages.push([...page.rows]);
      if (pages.length > 500) throw new Error('The pages do not end.');
      await between?.(page, pages.flat().length);
      const next: URL | undefined =
        page.link === undefined ? undefined : new URL(page.link, `http://host${path}`);
      expect(next?.searchParams.get('cursor') ?? null).toBe(page.nextCursor);
      path = next && next.pathname + next.search;
    }
    return pages;
  }

  const idsOf = (rows: readonly Row[]) => rows.map((row) => row[list.id]);
  const needs = new URLSearchParams(list.needs);
  const send = (query: string) =>
    backoffice.api.get(`${operation.path.slice('/api/admin'.length)}?${needs}&${query}`);

  describe('its order', () => {
    test('is one of several, of which the default is first', async () => {
      expect(sorts.length).toBeGreaterThan(1);
      expect(await fetchPage()).toEqual(await fetchPage({ sort: latestFirst }));
    });

    test.for(sorts)('by %s is the reverse of the opposite, and that of the pages', async (sort) => {
      const { rows } = await fetchPage({ sort });
      // Ties are in the same direction, so the opposite order is the exact reverse.
      const opposite = await fetchPage({ sort: sort.startsWith('-') ? sort.slice(1) : `-${sort}` });
      expect(idsOf(opposite.rows)).toEqual(idsOf(rows).toReversed());
      expect((await fetchPages({ sort, limit: '4' })).flat()).toEqual(rows);
      if (sort.endsWith('at')) {
        const times = rows.map((row) => String(row[sort.replace('-', '')]));
        const inOrder = times.toSorted();
        expect(times).toEqual(sort.startsWith('-') ? inOrder.toReversed() : inOrder);
      }
      if (list.filter === undefined) return;
      const filtered = (await fetchPage({ sort, ...list.filter })).rows;
      expect(filtered.length).toBeGreaterThan(4);
      expect((await fetchPages({ sort, ...list.filter, limit: '2' })).flat()).toEqual(filtered);
    });

    test('of rows that show the same time is that of their ids', async () => {
      const { rows } = await fetchPage({ sort: time });
      const neighbours = rows.slice(1).map((row, index) => [rows[index] ?? {}, row] as const);
      const ties = neighbours.filter(([before, row]) => before[time] === row[time]);
      expect(ties.length).toBeGreaterThan(5);
      // A link is identified by an issue, and ordered by an id of its own.
      if (list.id === 'issue_id') return;
      for (const [before, row] of ties)
        expect((before[list.id] as number) < (row[list.id] as number)).toBe(true);
    });

    test('by anything else is 400 with the nearest', async () => {
      const text = `sort must be one of: ${sorts.join(', ')}.`;
      expect(errors).toContain(text);
      expect(await send(`sort=${latestFirst.slice(0, -1)}`)).toEqual(
        errorResponse(400, `${text} Did you mean ${latestFirst}?`),
      );
      expect(await send('sort=zzzzzzzzzzzzzzzzzzzz')).toEqual(errorResponse(400, text));
    });
  });

  describe('its pages', () => {
    test('have each row once and unchanged, in every size, and the last has no cursor', async () => {
      const { rows, nextCursor, link } = await fetchPage();
      expect([nextCursor, link]).toEqual([undefined, undefined]);
      for (const limit of [1, 7, rows.length - 1, rows.length, rows.length + 1, 1_000]) {
        const pages = await fetchPages({ limit: String(limit) });
        expect(pages.flat()).toStrictEqual(rows);
        expect(pages).toHaveLength(Math.ceil(rows.length / limit));
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
      }
    });

    test('are followed by the rest of the list with a cursor and no limit', async () => {
      const { rows } = await fetchPage();
      const { nextCursor } = await fetchPage({ limit: '9' });
      const rest = await fetchPage({ cursor: nextCursor ?? '' });
      expect([rest.rows, rest.nextCursor]).toEqual([rows.slice(9), undefined]);
    });

    test('have each row exactly once while rows are inserted, in each order', async () => {
      let next = 100;
      for (const sort of sorts) {
        const before = idsOf((await fetchPage({ sort })).rows);
        const pages = await fetchPages({ sort, limit: '7' }, async (_page, found) => {
          // Not forever: in some orders all of them come after the cursor.
          if (found < 30) await list.insert(backoffice.sql, range(next, next + 2));
          next += 3;
        });
        const found = idsOf(pages.flat());
        expect(found.filter((id) => before.includes(id))).toEqual(before);
        expect(new Set(found).size).toBe(found.length);
      }
    });

    test.skipIf(list.keepsRows)('have each row that is left once while rows are deleted', async () => {
      const before = idsOf((await fetchPage()).rows);
      const removed: unknown[] = [];
      const pages = await fetchPages({ limit: '4' }, async ({ rows }) => {
        // The row of the cursor, and one of the next page.
        const last = idsOf(rows).at(-1);
        const later = before[before.indexOf(last) + 2];
        await backoffice.sql(`delete from ${list.table} where ${list.id} in ($1, $2)`, [last, later ?? last]);
        if (later !== undefined) removed.push(later);
      });
      expect(removed.length).toBeGreaterThan(2);
      expect(idsOf(pages.flat())).toEqual(before.filter((id) => !removed.includes(id)));
    });
  });

  describe('its parameters', () => {
    test('count=1 adds how many rows there are on all pages', async () => {
      const all = (await fetchPage()).rows.length;
      expect((await fetchPage({ count: '1' })).total).toBe(all);
      expect((await fetchPage({ count: '1', limit: '2' })).total).toBe(all);
      expect((await fetchPage({ count: '0', limit: '2' })).total).toBeUndefined();
    });

    test.runIf(errors.includes('until must be an ISO 8601 time.'))(
      'since includes its millisecond and until excludes it, on every page and in the count',
      async () => {
        const { rows } = await fetchPage();
        const middle = String(rows[Math.floor(rows.length / 2)]?.[time]);
        const after = new Date(Date.parse(middle) + 1).toISOString();
        const matching = async (parameters: Parameters, isWithin: (at: string) => boolean) => {
          const expected = rows.filter((row) => isWithin(String(row[time])));
          const { rows: found, total } = await fetchPage({ ...parameters, count: '1' });
          expect([found, total]).toEqual([expected, expected.length]);
          expect((await fetchPages({ ...parameters, limit: '9' })).flat()).toEqual(expected);
          return expected.length;
        };
        const since = await matching({ since: middle }, (at) => at >= middle);
        const until = await matching({ until: middle }, (at) => at < middle);
        expect(since + until).toBe(rows.length);
        expect(await matching({ since: middle, until: after }, (at) => at === middle)).toBeGreaterThan(0);
        expect(await matching({ since: middle, until: middle }, () => false)).toBe(0);
        expect(await matching({ since: after, until: '2000-01-01' }, () => false)).toBe(0);
      },
    );

    const tooMany = /^id must be at most (\S+) ids separated by commas\.$/;
    const maxIds = errors.flatMap((error) => tooMany.exec(error)?.[1]?.replace(',', '') ?? [])[0];
    test.runIf(maxIds)(
      'id selects rows in the order of the list, as many as a request line holds',
      async () => {
        const { rows } = await fetchPage();
        const wanted = rows.filter((_row, index) => index % 3 === 0);
        const ids = idsOf(wanted).toReversed();
        const isText = typeof ids[0] === 'string';
        // Of 40 characters, or 7 digits.
        const unknown = Array.from({ length: Number(maxIds) - ids.length }, (_, index) =>
          isText ? `conv_${String(index).padStart(35, '0')}` : 9_000_000 + index,
        );
        const id = [...unknown, ...ids].join(',');
        expect((await fetchPage({ id })).rows).toEqual(wanted);
        expect((await fetchPages({ id, limit: '3' })).flat()).toEqual(wanted);
        expect((await fetchPage({ id: `${ids[0]}, ${ids[0]}`, count: '1' })).total).toBe(1);
        expect((await fetchPage({ id: ',' })).rows).toEqual([]);
      },
    );

    test('count as absent if they are empty, and are 400 if they are given twice', async () => {
      const whole = await fetchPage();
      for (const name of fieldNamesOf(operation.input) ?? [])
        if (!(name in (list.needs ?? {}))) expect.soft(await fetchPage({ [name]: '' }), name).toEqual(whole);
      const twice = errorResponse(400, 'limit is given more than once. Send it once.');
      expect(await send('limit=1&limit=1')).toEqual(twice);
    });
  });

  describe('a cursor', () => {
    const cursorOf = async (sort = latestFirst) => (await fetchPage({ sort, limit: '2' })).nextCursor ?? '';

    test('of another sort is 400', async () => {
      for (const [sort, other] of [sorts, sorts.toReversed()] as [string, string][]) {
        expect(await send(`sort=${other}&limit=2&cursor=${await cursorOf(sort)}`)).toEqual(
          errorResponse(400, 'cursor belongs to another sort. Repeat the sort of its page.'),
        );
      }
    });

    test('needs no escaping in a URL, and is a time and an id', async () => {
      const cursor = await cursorOf();
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(encode(decode(cursor))).toBe(cursor);
    });

    test('that is cut or changed in one character is 400 or another position', async () => {
      const cursor = await cursorOf();
      // Each place of the four in a group of base64, as 3 and 4 have no common divisor.
      for (let index = 1; index < cursor.length; index += 3) {
        const start = cursor.slice(0, index);
        for (const changed of [start, `${start}_${cursor.slice(index + 1)}`])
          expect([200, 400]).toContain((await send(`limit=2&cursor=${changed}`)).status);
      }
    });

    test('that is no time and id is 400', async () => {
      const [at, id] = decode(await cursorOf());
      const notBoth = [{ at, id }, [at], [at, id, id], [id, at], [0, id]];
      const ids = [null, [id], '\0', 1.5, 1e300].map((wrong) => [at, wrong]);
      const times = [
        ...['T09:30:00.000000Z', '2026-02-31T09:30:00.000000Z', '2026-03-01T99:00:00.000000Z'],
        ...['0000-01-01T00:00:00.000000Z', '99999-01-01T00:00:00.000000Z'],
        // Postgres alone would parse these.
        ...['2026-03-01 09:30:00+00', 'infinity', "now()'; drop table issues; --"],
      ].map((wrong) => [wrong, id]);
      for (const position of [...notBoth, ...ids, ...times])
        expect
          .soft(await send(`limit=2&cursor=${encode(position)}`), JSON.stringify(position))
          .toEqual(errorResponse(400, 'cursor must be the nextCursor of an earlier page.'));
    });

    test('that is well-formed but invented is a position in the list', async () => {
      const [, id] = decode(await cursorOf());
      const from = (at: string) => fetchPage({ limit: '2', cursor: encode([at, id]) });
      expect((await from('9999-12-31T23:59:59.999999Z')).rows).toHaveLength(2);
      expect(await from('0001-01-01T00:00:00.000000Z')).toMatchObject({ rows: [], nextCursor: null });
    });
  });

  test('a page has at most 1,000 rows', async () => {
    await list.insert(backoffice.sql, range(1_000, 2_000));
    const { rows } = await fetchPage();
    const pages = await fetchPages({ limit: '1000' });
    expect(pages[0]).toHaveLength(1_000);
    expect(pages.flat()).toEqual(rows);
  });
});
