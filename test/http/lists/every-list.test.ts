import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { everyList } from '../../every/lists.ts';
import { errorResponse } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const lists = (operations as readonly Operation[])
  .filter(({ rows }) => rows !== undefined)
  .map((operation) => ({ operation, list: everyList[operation.id as keyof typeof everyList] }));

const rowCount = 23;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

beforeAll(async () => {
  for (const { list } of lists) await list.insert(backoffice.sql, range(1, rowCount));
});

type Row = Readonly<Record<string, unknown>>;

interface Page {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null | undefined;
  readonly total: number | undefined;
  readonly link: string | null;
}

describe.for(lists)('$operation.id', ({ operation, list }) => {
  const sorts = documentedSorts(operation);
  const errors = (operation.errors ?? []).map(({ text }) => text);

  async function fetchPage(parameters: Readonly<Record<string, string>>, path?: string): Promise<Page> {
    const query = new URLSearchParams({ ...list.needs, ...parameters });
    const { cookie } = backoffice.superadmin;
    const response = await backoffice.service.fetch(path ?? `${operation.path}?${query}`, {
      headers: { cookie },
    });
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).not.toHaveProperty('error');
    return {
      rows: body[operation.rows ?? ''] as Row[],
      nextCursor: body.nextCursor as string | null | undefined,
      total: body.total as number | undefined,
      link: response.headers.get('link'),
    };
  }

  const idsOf = (rows: readonly Row[]) => rows.map((row) => row[list.id]);
  const send = (query: string) => backoffice.api.get(`${operation.path.slice('/api/admin'.length)}?${query}`);
  const needs = new URLSearchParams(list.needs);

  test('names what it can be sorted by, and the default is first', async () => {
    expect(sorts.length).toBeGreaterThan(1);
    const [first = ''] = sorts;
    expect(idsOf((await fetchPage({})).rows)).toEqual(idsOf((await fetchPage({ sort: first })).rows));
  });

  test.for(sorts)('is sorted by %s, and its pages have each row exactly once', async (sort) => {
    const whole = await fetchPage({ sort });
    const field = sort.replace('-', '');
    const opposite = await fetchPage({ sort: sort.startsWith('-') ? field : `-${field}` });
    // Ties are in the same direction, so the opposite order is the exact reverse.
    expect(idsOf(opposite.rows)).toEqual(idsOf(whole.rows).toReversed());

    const rows: Row[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await fetchPage({ sort, limit: '4', ...(cursor == null ? {} : { cursor }) });
      rows.push(...page.rows);
      cursor = page.nextCursor;
    } while (typeof cursor === 'string');
    expect(rows).toEqual(whole.rows);
  });

  test.for(sorts.filter((sort) => sort.endsWith('at')))('shows times in the order of %s', async (sort) => {
    const times = (await fetchPage({ sort })).rows.map((row) => String(row[sort.replace('-', '')]));
    const inOrder = times.toSorted();
    expect(times).toEqual(sort.startsWith('-') ? inOrder.toReversed() : inOrder);
  });

  test('rows that show the same time are in the order of their ids', async () => {
    const [sort = ''] = sorts;
    const field = sort.replace('-', '');
    const { rows } = await fetchPage({ sort: field });
    const ties = rows.slice(1).filter((row, index) => row[field] === rows[index]?.[field]);
    expect(ties.length).toBeGreaterThan(5);
    for (const [index, row] of rows.slice(1).entries()) {
      const before = rows[index];
      if (before?.[field] !== row[field] || list.id === 'issue_id') continue;
      expect((before?.[list.id] as number) < (row[list.id] as number)).toBe(true);
    }
  });

  test('a wrong sort is 400 with the nearest', async () => {
    const [first = ''] = sorts;
    const text = `sort must be one of: ${sorts.join(', ')}.`;
    expect(errors).toContain(text);
    expect(await send(`${needs}&sort=${first.slice(0, -1)}`)).toEqual(
      errorResponse(400, `${text} Did you mean ${first}?`),
    );
    expect(await send(`${needs}&sort=zzzzzzzzzzzzzzzzzzzz`)).toEqual(errorResponse(400, text));
  });

  test('a cursor of another sort is 400', async () => {
    for (const [sort, other] of [sorts, sorts.toReversed()] as [string, string][]) {
      const { nextCursor } = await fetchPage({ sort, limit: '2' });
      expect(await send(`${needs}&sort=${other}&limit=2&cursor=${nextCursor}`)).toEqual(
        errorResponse(400, 'cursor belongs to another sort. Repeat the sort of its page.'),
      );
    }
  });

  test('count=1 adds how many rows there are on all pages', async () => {
    const all = (await fetchPage({})).rows.length;
    expect(all).toBeGreaterThanOrEqual(rowCount);
    expect((await fetchPage({ count: '1' })).total).toBe(all);
    expect((await fetchPage({ count: '1', limit: '2' })).total).toBe(all);
    if (errors.includes('until must be an ISO 8601 time.')) {
      expect((await fetchPage({ count: '1', until: '2000-01-01' })).total).toBe(0);
    }
    expect((await fetchPage({ count: '0', limit: '2' })).total).toBeUndefined();
    expect(await send(`${needs}&count=yes`)).toEqual(errorResponse(400, 'count must be 1 or 0.'));
  });

  test('a page links to the next one, and the last page and the whole list do not', async () => {
    const whole = await fetchPage({});
    expect(whole.link).toBeNull();
    const rows: Row[] = [];
    let path = `${operation.path}?${new URLSearchParams({ ...list.needs, limit: '9', sort: sorts[1] ?? '' })}`;
    while (path !== '') {
      const page = await fetchPage({}, path);
      rows.push(...page.rows);
      const target = /^<([^>]+)>; rel="next"$/.exec(page.link ?? '')?.[1];
      expect(target === undefined).toBe(page.nextCursor === null);
      path =
        target === undefined ? '' : new URL(target, `http://host${path}`).href.slice('http://host'.length);
    }
    expect(idsOf(rows)).toEqual(idsOf(whole.rows).toReversed());
  });

  test('pages of each sort have each row exactly once while rows are inserted', async () => {
    const { insert } = list;
    let next = 100;
    for (const sort of sorts) {
      const before = idsOf((await fetchPage({ sort })).rows);
      const found: unknown[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await fetchPage({ sort, limit: '7', ...(cursor == null ? {} : { cursor }) });
        found.push(...idsOf(page.rows));
        // Not forever: in some orders all of them come after the cursor.
        if (found.length < 30) await insert(backoffice.sql, range(next, next + 2));
        next += 3;
        cursor = page.nextCursor;
      } while (typeof cursor === 'string');
      expect(found.filter((id) => before.includes(id))).toEqual(before);
      expect(new Set(found).size).toBe(found.length);
    }
  });
});

/** Returns the values of the parameter `sort` in the order of the documentation. */
function documentedSorts({ errors = [] }: Operation): readonly string[] {
  const text = errors.map((error) => error.text).find((line) => line.startsWith('sort must be one of: '));
  return text?.slice('sort must be one of: '.length, -1).split(', ') ?? [];
}

test.for([
  ['issues?status=Opne', 'status must be one of: Open, In Progress, Resolved, Closed. Did you mean Open?'],
  ['issues?status=open', 'status must be one of: Open, In Progress, Resolved, Closed. Did you mean Open?'],
  [
    'issues?status=Open,in%20progress',
    'status must be one of: Open, In Progress, Resolved, Closed. Did you mean In Progress?',
  ],
  ['issues?status=Nonsense%20words', 'status must be one of: Open, In Progress, Resolved, Closed.'],
  [
    'conversations?status=pendnig',
    'status must be one of: open, pending, resolved, closed. Did you mean pending?',
  ],
  [
    'scraping-runs?status=succeded',
    'status must be one of: running, succeeded, failed, cancelled. Did you mean succeeded?',
  ],
  [
    'webhooks/deliveries?status=fail',
    'status must be one of: pending, succeeded, failed. Did you mean failed?',
  ],
  ['audit?door=htpp', 'door must be one of: http, cli, tui, mcp, job. Did you mean http?'],
] as const)('a value that a closed set lacks is 400 with the nearest: %s', async ([path, error]) => {
  expect(await backoffice.api.get(`/${path}`)).toEqual(errorResponse(400, error));
});

test.for([
  ['status=Open,Closed', 'status', ['Closed', 'Open']],
  ['severity=High,Strange', 'severity', ['High', 'Strange']],
] as const)('several values of a filter match each: %s', async ([query, field, expected]) => {
  const { body } = await backoffice.api.get(`/issues?${query}`);
  const { issues } = body as { issues: readonly Row[] };
  expect([...new Set(issues.map((row) => row[field]))].toSorted()).toEqual(expected);
});

test('every list has an entry in the table of lists', () => {
  expect(Object.keys(everyList).toSorted()).toEqual(lists.map(({ operation }) => operation.id).toSorted());
});
