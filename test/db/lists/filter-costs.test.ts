import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { type ListId, operations } from '../../../src/contract/registry.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import type { ListQuery } from '../../../src/db/lists/list-query.ts';
import { countRows, readList } from '../../../src/db/lists/read-list.ts';
import { type ReadCost, readCosts } from '../../support/postgres/plans.ts';
import { databaseHere } from '../../support/postgres.ts';
import { fillLists, filteredLists, largest } from './filtered-lists.ts';

const own = databaseHere();

/** A scan of the second size costs ten times that of the first. */
const sizes = [2_000, 20_000] as const;
/** Pages that a list of any size may read: an index is some levels deep, and a plan reads the catalog. */
const somePages = 60;

const lists = (operations as readonly Operation[]).filter(({ rows }) => rows !== undefined);

/** What selects no rows. */
const others = ['q', 'sort', 'count', 'limit', 'cursor', 'include', 'period'];

const filtersOf = ({ input }: Operation) =>
  Object.keys((input as unknown as { shape: object }).shape).filter((name) => !others.includes(name));

test.for(lists)('$id has a case for each of its filters', (operation) => {
  const filters = filteredLists[operation.id as ListId].filters;
  expect(Object.keys(filters).toSorted()).toEqual(filtersOf(operation).toSorted());
});

const page = (list: ListQuery) => (db: Database) =>
  readList(db, list, 20, async () => true, { readLong: (work) => work(db) });
const total = (list: ListQuery) => (db: Database) => countRows(db, list);

/** Returns what each case costs in lists of some size, by its name. */
async function costsOf(size: number): Promise<ReadonlyMap<string, readonly ReadCost[]>> {
  const costs = new Map<string, readonly ReadCost[]>();
  await fillLists(own.client, size);
  for (const { name, query, counts } of cases(size)) {
    const run = counts ? total(query) : page(query);
    costs.set(name, await readCosts(own.pool, own.client, run));
  }
  return costs;
}

function* cases(size: number) {
  for (const operation of lists) {
    const { filters, searches, build, sorts } = filteredLists[operation.id as ListId];
    for (const [filter, values] of Object.entries({ ...filters, q: (_: number) => searches })) {
      for (const given of values(size)) {
        const input = { [filter]: given.value, ...given.with };
        const parsed = operation.input.parse(input) as Record<string, unknown>;
        const label = `${operation.id}?${new URLSearchParams(input)}`.replaceAll('%2C', ',');
        const name = given.name === undefined ? label : `${operation.id} ${given.name}`;
        for (const sort of sorts) {
          if (given.notSortedBy !== undefined && sort.endsWith(given.notSortedBy)) continue;
          yield { name: `${name} by ${sort}`, query: build({ ...parsed, sort }), counts: false };
        }
        if (given.isRare) yield { name: `the total of ${name}`, query: build(parsed), counts: true };
      }
    }
  }
}

describe('every filter and search of every list', () => {
  test('reads as many pages of a table as of one with a tenth of its rows, in every order', async () => {
    const [small, large] = [await costsOf(sizes[0]), await costsOf(sizes[1])];
    expect(large.size).toBeGreaterThan(150);
    const dear = [...large].flatMap(([name, costs]) =>
      costs
        .map(({ plan, pages, scanned }, index) => {
          const before = small.get(name)?.[index]?.pages ?? 0;
          return { name, plan, before, pages, scanned: scanned.filter((table) => largest.includes(table)) };
        })
        .filter(
          ({ before, pages, scanned }) => pages > 2 * Math.max(before, somePages) || scanned.length > 0,
        ),
    );
    expect(dear).toEqual([]);
  });
});
