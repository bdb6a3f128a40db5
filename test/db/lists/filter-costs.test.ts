import type { Client } from 'pg';
import { expect, test } from 'vitest';
import {
  conversationSorts,
  creationSorts,
  historySorts,
  issueSorts,
  scrapingRunSorts,
} from '../../../src/contract/fields/sorts.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { type ListId, operations } from '../../../src/contract/registry.ts';
import { type Sorts, sortsOf } from '../../../src/contract/vocabulary.ts';
import { issueHistoryList } from '../../../src/db/changes/history.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import type { ListQuery } from '../../../src/db/lists/list-query.ts';
import { countRows, readList } from '../../../src/db/lists/read-list.ts';
import { auditList } from '../../../src/db/tables/audit.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import { selectThread } from '../../../src/db/tables/conversations/message-threads.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { linkList } from '../../../src/db/tables/links.ts';
import { scrapingRunList } from '../../../src/db/tables/usage/scraping-runs.ts';
import { deliveryList } from '../../../src/db/tables/webhooks/webhook-deliveries.ts';
import { type ReadCost, readCosts, withoutIndexes } from '../../support/postgres/plans.ts';
import { databaseHere } from '../../support/postgres.ts';

/** A value of a filter. */
interface FilterValue {
  readonly value: string;
  /** Stands for a value that depends on the size of the list. */
  readonly name?: string;
  /** Other parameters of the request. */
  readonly with?: Readonly<Record<string, string>>;
  /** A field that the list has no index for, sorted by it with this filter: what it costs depends on where the rows are. */
  readonly notSortedBy?: string;
  /** Few rows have it, so that they are counted fast too. */
  readonly isRare?: boolean;
}

interface FilteredList {
  readonly sorts: readonly string[];
  /** Makes the list of a parsed input. */
  build(input: Readonly<Record<string, unknown>>): ListQuery;
  /** Values of each filter, in a list of some size. */
  readonly filters: Readonly<Record<string, (size: number) => readonly FilterValue[]>>;
  /** Rare words of the list. */
  readonly searches: readonly FilterValue[];
}

/** The tables of these lists that grow. */
const largest: readonly string[] = [
  'issues',
  'issue_search',
  'issue_history',
  'conversations',
  'conversation_search',
  'conversation_messages',
  'issue_links',
  'scraping_runs',
  'scraping_errors',
  'audit_records',
  'webhook_deliveries',
];

/** So many rows have the rare values. */
const rareRows = 10;

/**
 * Rows that few values select are at the one or the other end of the list. `half` is what a third of the older rows have
 * and no newer one.
 */
const rare = (value: string): FilterValue => ({ value, isRare: true });
/** Values of which few rows have each, and others. */
const values = (rares: readonly string[], ...others: string[]): readonly FilterValue[] => [
  ...rares.map(rare),
  ...others.map((value) => ({ value })),
];
const texts = (...others: string[]) => values(['oldest', 'newest', 'nothing'], ...others);
const word = (...others: string[]) => texts('half', 'usual', ...others);

/** Whole words, one in two texts of a row, and what no row has. */
const words = [rare('oldest'), rare('OLDEST s'), rare('nothing')];
const frequentWord = { value: 'usual' };
/** Two letters too: where texts may be long, a transaction makes the planner use the index, and none runs here. */
const searches = [...words, frequentWord, rare('ol')];

const unlessBySeverity = (value: FilterValue): FilterValue =>
  value.isRare === true ? value : { ...value, notSortedBy: 'severity' };

const at = (place: number) => new Date(Date.parse('2026-03-01T00:00:00Z') - place * 60_000).toISOString();
const positionOf = (place: number) => at(place).replace('Z', '000Z');
/** Some rows at either end, and all but those. */
const since = (size: number): readonly FilterValue[] => [
  { name: 'since the newest rows', value: at(rareRows), isRare: true },
  { name: 'since the oldest rows', value: at(size - rareRows), with: { until: at(size - 2) }, isRare: true },
  { name: 'since before most rows', value: at(size - rareRows) },
];
const until = (size: number): readonly FilterValue[] => [
  { name: 'until the oldest rows', value: at(size - rareRows), isRare: true },
  { name: 'until after most rows', value: at(rareRows) },
];
const times = { since, until };

/** Builders take what the handlers take: the parsed input. */
const list = <Filter>(
  sorts: Sorts,
  build: (filter: Filter) => ListQuery,
  filters: FilteredList['filters'],
  searches: readonly FilterValue[] = [],
): FilteredList => ({
  sorts: sortsOf(sorts),
  build: ({ assignee, ...filter }) =>
    build({ ...filter, assignee_id: assignee === 'none' ? null : assignee } as Filter),
  filters,
  searches,
});

const filteredLists: Readonly<Record<ListId, FilteredList>> = {
  'issues.list': list(
    issueSorts,
    issueList,
    {
      id: () => [rare('7'), rare('7,8,1900')],
      status: () => values(['In Progress', 'Resolved'], 'Open', 'Closed', 'In Progress,Closed'),
      severity: () => word('oldest,newest,High').map(unlessBySeverity),
      category: () => word().map(unlessBySeverity),
      assignee: () => word('none'),
      label: () => [...texts('usual', 'oldest,newest,usual'), rare('none')],
      ...times,
    },
    [...words, frequentWord],
  ),
  'issues.history': list(historySorts, issueHistoryList, { id: () => [rare('7')] }),
  'conversations.list': list(
    conversationSorts,
    conversationList,
    {
      id: () => [rare('conv_7'), rare('conv_7,conv_8,conv_1900')],
      status: () => values(['closed', 'resolved'], 'open', 'pending', 'closed,open'),
      unread: () => [rare('true')],
      visitor_email: () => ['OLDEST', 'newest', 'nothing'].map((name) => rare(`${name}@example.com`)),
      assignee: () => word('none'),
      label: () => [...texts('usual', 'oldest,newest,usual'), rare('none')],
      ...times,
    },
    [...words, frequentWord],
  ),
  'links.list': list(
    creationSorts,
    linkList,
    {
      issue_id: () => values(['7'], '7,8,9'),
      conversation_id: () => [rare('conv_20')],
      scraping_error_id: () => values(['21'], '21,23'),
      ...times,
    },
    words,
  ),
  'scrapingRuns.list': list(
    scrapingRunSorts,
    scrapingRunList,
    {
      run_id: () => [rare('run_7')],
      source: () => word(),
      status: () => values(['running', 'cancelled'], 'failed', 'failed,running'),
      ...times,
    },
    searches,
  ),
  'audit.list': list(
    creationSorts,
    auditList,
    {
      actor: () => word(),
      door: () => values(['tui', 'job'], 'http', 'tui,http'),
      operation: () => values(['admins.create', 'issues.update'], 'issues.create'),
      event: () => values(['admin.created', 'link.created'], 'issue.created'),
      subject_id: () => texts(),
      after: (size) => [{ name: 'after the last but some', value: String(size - rareRows), isRare: true }],
      ...times,
    },
    searches,
  ),
  'webhooks.deliveries': list(
    creationSorts,
    deliveryList,
    {
      id: () => [rare('7'), rare('7,8,1900')],
      webhook_id: () => values(['1', '2'], '3', '4'),
      status: () => values(['pending', 'failed'], 'succeeded', 'failed,succeeded'),
      type: () => values(['admin.created', 'link.created', 'admin.created,link.created'], 'issue.created'),
      ...times,
    },
    searches,
  ),
};

/** Fills the lists with so many rows each. The number of a row is its place in its list, newest first. */
async function fillLists(client: Client, size: number): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    set synchronous_commit = on;
    truncate ${largest.join(', ')}, changes, admins restart identity cascade
  `);
  await withoutIndexes(client, () => insertRows(client, size));
  await client.query('set session_replication_role = origin');
  await client.query(`vacuum analyze ${largest.join(', ')}`);
}

function insertRows(client: Client, size: number): Promise<unknown> {
  // One of four words: the rare ones at either end of the list, one that only old rows have, and one of most.
  const oneOf = (oldest: string, newest: string, half: string, usual: string) => `
    case
      when n > ${size - rareRows} then ${oldest} when n <= ${rareRows} then ${newest}
      when n > ${size / 2} and n % 3 = 0 then ${half} else ${usual}
    end`;
  const anyWord = oneOf(`'oldest'`, `'newest'`, `'half'`, `'usual'`);
  // Some rows near the oldest have none.
  const labels = `case when n between ${size - 2 * rareRows} and ${size - rareRows} then '{}' else array[${anyWord}] end`;
  const id = `${size + 1} - n`;
  return client.query(`
    create temp table numbers as
    select n, timestamptz '2026-03-01Z' - n * interval '1 minute' as at from generate_series(1, ${size}) as n;
    insert into admins (id, email, username, otp_email)
    select id, id, '', '' from unnest(array['oldest', 'newest', 'half', 'usual']) as id;
    insert into issues (id, title, status, severity, category, assignee_id, labels, created_at, updated_at)
    select ${id}, ${anyWord}, ${oneOf(`'Resolved'`, `'In Progress'`, `'Closed'`, `'Open'`)}, ${anyWord}, ${anyWord},
      nullif(${anyWord}, 'usual'), ${labels}, at, at
    from numbers;
    insert into issue_search select id, issue_search_text(id, title, description, steps_to_reproduce, labels) from issues;
    insert into changes (id, noun, actor_kind, actor_name, door) values (1, 'issues', 'service', 'tests', 'job');
    insert into issue_history (id, change_id, issue_id, field, created_at)
    select n, 1, case when n < ${rareRows} then 7 else 1000 + n end, 'field ' || n, at from numbers;
    insert into conversations (id, visitor_name, visitor_email, status, assignee_id, labels, created_at, updated_at)
    select 'conv_' || ${id}, ${anyWord}, ${anyWord} || '@example.com', ${oneOf(`'resolved'`, `'closed'`, `'pending'`, `'open'`)}, nullif(${anyWord}, 'usual'), ${labels},
      at, at
    from numbers;
    insert into conversation_search
    select id, conversation_search_text(id, visitor_name, visitor_email, subject, labels) from conversations;
    insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
    select 'conv_' || ${id}, 'visitor', '', case when n > ${size - rareRows} then 'sent' else 'read' end, at from numbers;
    insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
    select 'conv_7', 'visitor', '', 'read', at from numbers;
    insert into scraping_runs (run_id, source, status, started_at, finished_at)
    select 'run_' || ${id}, ${anyWord}, ${oneOf(`'cancelled'`, `'running'`, `'failed'`, `'succeeded'`)}, at,
      case when n > ${rareRows} then at end
    from numbers;
    insert into scraping_errors (id, run_id, error_key, message) select ${id}, 'run_' || ${id}, '', ${anyWord} from numbers;
    insert into issue_links (issue_id, conversation_id, scraping_error_id, created_at)
    select ${id}, case when n % 2 = 1 then 'conv_' || ${id} end, case when n % 2 = 0 then ${id} end, at from numbers;
    insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event, subject_id)
    select ${id}, at, 'admin', ${anyWord}, ${oneOf(`'tui'`, `'job'`, `'cli'`, `'http'`)},
      ${oneOf(`'admins.create'`, `'issues.update'`, `'issues.create'`, `'issues.delete'`)},
      ${oneOf(`'admin.created'`, `'link.created'`, `'issue.created'`, `'issue.updated'`)}, ${anyWord}
    from numbers;
    insert into webhook_deliveries (id, webhook_id, message_id, type, payload, status, error, created_at)
    select ${id}, ${oneOf('1', '2', '3', '4')}, 'evt_' || n,
      ${oneOf(`'admin.created'`, `'link.created'`, `'issue.created'`, `'issue.updated'`)}, '{}',
      ${oneOf(`'failed'`, `'pending'`, `'succeeded'`, `'succeeded'`)}, ${anyWord}, at
    from numbers;
    drop table numbers
  `);
}

const own = databaseHere();

/** A scan of the large lists costs five times that of the small ones. */
const sizes = { small: 2_000, large: 10_000 };
/** Pages that a list of any size may read: an index is some levels deep, and a plan reads the catalog. */
const somePages = 30;

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

interface Case {
  readonly name: string;
  run(db: Database): Promise<unknown>;
}

type Costs = ReadonlyMap<string, readonly ReadCost[]>;

/** Returns what the cases cost in lists of some size, by their names: all, or those of others that are named. */
async function costsOf(size: number, named?: Costs): Promise<Costs> {
  const costs = new Map<string, readonly ReadCost[]>();
  await fillLists(own.client, size);
  for (const { name, run } of [...listCases(size), ...threadCases(size)])
    if (named?.has(name) ?? true) costs.set(name, await readCosts(own.pool, own.client, run));
  return costs;
}

function* listCases(size: number): Generator<Case> {
  for (const operation of lists) {
    const { filters, searches, build, sorts } = filteredLists[operation.id as ListId];
    // A list of all rows, not the history of one issue.
    for (const sort of operation.id === 'issues.history' ? [] : sorts) {
      const position = [sort.endsWith('severity') ? '0' : positionOf(size / 2), size / 2];
      const cursor = sort === sorts[0] ? position : [...position, sort];
      yield { name: `a later page of ${operation.id} by ${sort}`, run: page(build({ sort, cursor })) };
    }
    for (const [filter, values] of Object.entries({ ...filters, q: (_: number) => searches })) {
      for (const given of values(size)) {
        const input = { [filter]: given.value, ...given.with };
        const parsed = operation.input.parse(input) as Record<string, unknown>;
        const label = `${operation.id}?${new URLSearchParams(input)}`.replaceAll('%2C', ',');
        const name = given.name === undefined ? label : `${operation.id} ${given.name}`;
        for (const sort of sorts) {
          if (given.notSortedBy !== undefined && sort.endsWith(given.notSortedBy)) continue;
          yield { name: `${name} by ${sort}`, run: page(build({ ...parsed, sort })) };
        }
        if (given.isRare) yield { name: `the total of ${name}`, run: total(build(parsed)) };
      }
    }
  }
}

function* threadCases(size: number): Generator<Case> {
  const cursor = [positionOf(size / 2), size / 2] as const;
  for (const [name, id, from] of [
    ['the last page of a long thread', 'conv_7', undefined],
    ['an earlier page of it', 'conv_7', cursor],
    ['the last page of a short one', 'conv_8', undefined],
  ] as const)
    yield { name, run: (db) => selectThread(db, id, { limit: 20, cursor: from }) };
}

test('every page, search, total and thread reads as many pages as of tables with a fifth of the rows, in every order', async () => {
  const all = await costsOf(sizes.large);
  expect(all.size).toBeGreaterThan(150);
  const isDear = ({ pages, scanned }: ReadCost, before = 0) =>
    pages > 2 * Math.max(before, somePages) || scanned.some((table) => largest.includes(table));
  const large = new Map([...all].filter(([, costs]) => costs.some((cost) => isDear(cost))));
  // What is cheap in large lists is so in small ones, too.
  const small = await costsOf(sizes.small, large);
  const dear = [...large].flatMap(([name, costs]) =>
    costs.flatMap((cost, index) => {
      const before = small.get(name)?.[index]?.pages;
      return isDear(cost, before) ? [{ name, before, ...cost }] : [];
    }),
  );
  expect(dear).toEqual([]);
});
