import { beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const nothing = {
  severityData: [],
  severityTotals: [],
  statusCounts: [],
  categoryCounts: [],
  totalIssues: 0,
};

test.for<[section: string, path: string, body: object]>([
  ['4.1: issues', '/issues', { issues: [] }],
  ...['hourly', 'daily', 'weekly', 'monthly', 'all'].map((period): [string, string, object] => [
    `4.1: the counts of period=${period}`,
    `/issues?period=${period}`,
    nothing,
  ]),
  ['4.4: conversations', '/conversations', { conversations: [] }],
  [
    '4.6: settings',
    '/settings',
    expect.objectContaining({ settings: {}, tokenAlerts: [], scrapingErrors: [] }),
  ],
])('a new database has none of section %s', async ([, path, body]) => {
  expect(await backoffice.api.get(path)).toEqual({ status: 200, body });
});

test('section 4.8: the only admin of a new database is the caller', async () => {
  expect(await backoffice.api.get('/admins')).toMatchObject({
    body: {
      admins: [{ email: backoffice.superadmin.email }],
      pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
    },
  });
});

describe('the aggregate', () => {
  const hour = 60;
  const day = 24 * hour;

  /**
   * Ages in minutes on both sides of every limit, and their labels in the contract. They are one minute above it, or below
   * it by more than the duration of these tests, because the rows grow older while they run.
   */
  const ages = [
    [0, 'Last Hour'],
    [hour - 10, 'Last Hour'],
    [hour + 1, 'Last 24h'],
    [day - 10, 'Last 24h'],
    [day + 1, 'Last 7 Days'],
    [7 * day - 10, 'Last 7 Days'],
    [7 * day + 1, 'Older'],
    [30 * day - 10, 'Older'],
    [30 * day + 1, 'Older'],
    [84 * day - 10, 'Older'],
    [84 * day + 1, 'Older'],
    [365 * day - 10, 'Older'],
    [365 * day + 1, 'Older'],
  ] as const;

  /** Encodes the age of each row in its severity, so that severityData shows which rows it counts, and where. */
  const severityOf = (age: number) => `${age} minutes`;

  beforeAll(async () => {
    await backoffice.sql('truncate issues');
    for (const [age] of ages) {
      await backoffice.sql(
        `insert into issues (title, severity, category, status, created_at)
       values ('Aged', $1, $2, $3, now() - make_interval(mins => $4))`,
        [severityOf(age), age < day ? 'Fresh' : 'Stale', age < 7 * day ? 'Open' : 'Closed', age],
      );
    }
  });

  async function aggregate(period: string) {
    const answer = await backoffice.superadmin.client.call('issues.list', { period });
    if (!('severityData' in answer)) throw new Error(`period=${period} gave no aggregate.`);
    return answer;
  }

  const byLabelThenSeverity = (a: { period_label: string; severity: string }, b: typeof a) =>
    compare(a.period_label, b.period_label) || compare(a.severity, b.severity);
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

  test.for([
    ['hourly', 'the last 24 hours', day],
    ['daily', 'the last 30 days', 30 * day],
    ['weekly', 'the last 84 days', 84 * day],
    ['monthly', 'the last 365 days', 365 * day],
    ['yearly', 'no restriction, like any other value', Infinity],
    ['Hourly', 'no restriction: the values are lower-case', Infinity],
    [' ', 'no restriction: a blank is not empty', Infinity],
    ['0', 'no restriction: a zero is not empty', Infinity],
  ] as const)(
    'section 4.1: severityData with period=%s has %s, labelled and in order',
    async ([period, , window]) => {
      const { severityData } = await aggregate(period);
      const within = ages.filter(([age]) => age < window);
      expect(severityData).toEqual(
        within
          .map(([age, label]) => ({ period_label: label, severity: severityOf(age), count: 1 }))
          .sort(byLabelThenSeverity),
      );
    },
  );

  test.for(['hourly', 'daily', 'weekly', 'monthly', 'all'])(
    'section 4.1: period=%s does not restrict the other counts',
    async (period) => {
      const { severityTotals, statusCounts, categoryCounts, totalIssues } = await aggregate(period);
      expect(severityTotals).toHaveLength(ages.length);
      expect(severityTotals).toEqual(
        expect.arrayContaining(ages.map(([age]) => ({ severity: severityOf(age), count: 1 }))),
      );
      expect(statusCounts.toSorted((a, b) => compare(a.status, b.status))).toEqual([
        { status: 'Closed', count: 7 },
        { status: 'Open', count: 6 },
      ]);
      expect(categoryCounts.toSorted((a, b) => compare(a.category, b.category))).toEqual([
        { category: 'Fresh', count: 4 },
        { category: 'Stale', count: 9 },
      ]);
      expect(totalIssues).toBe(13);
    },
  );

  test('section 4.1: an issue with a future date counts as Last Hour', async () => {
    await backoffice.sql(
      "insert into issues (title, severity, created_at) values ('F', 'Future', now() + interval '3 days')",
    );
    const { severityData } = await aggregate('hourly');
    expect(severityData).toContainEqual({ period_label: 'Last Hour', severity: 'Future', count: 1 });
    await backoffice.sql("delete from issues where severity = 'Future'");
  });

  test('section 4.1: issues with the same label and severity form one row, and totalIssues is the sum', async () => {
    await backoffice.sql(
      "insert into issues (title, severity) select 'More', 'Same' from generate_series(1, 40)",
    );
    const before = await aggregate('hourly');
    expect(before.severityData).toContainEqual({ period_label: 'Last Hour', severity: 'Same', count: 40 });
    expect(before.totalIssues).toBe(ages.length + 40);
    expect(before.totalIssues).toBe(before.severityTotals.reduce((sum, { count }) => sum + count, 0));

    await backoffice.sql("delete from issues where severity = 'Same'");
    const { severityData, totalIssues } = await aggregate('hourly');
    expect(severityData.filter(({ severity }) => severity === 'Same')).toEqual([]);
    expect(totalIssues).toBe(ages.length);
  });

  test('section 4.1: a status change over the API moves the issue between the status counts', async () => {
    const { client } = backoffice.superadmin;
    const { id } = await client.call('issues.create', { title: 'Moves', category: 'Moves' });
    expect((await aggregate('all')).statusCounts).toContainEqual({ status: 'Open', count: 7 });
    await client.call('issues.changeStatus', { id, status: 'In Progress' });
    const { statusCounts, categoryCounts } = await aggregate('all');
    expect(statusCounts).toContainEqual({ status: 'In Progress', count: 1 });
    expect(statusCounts).toContainEqual({ status: 'Open', count: 6 });
    expect(categoryCounts).toContainEqual({ category: 'Moves', count: 1 });
  });
});

describe('the list of issues', () => {
  /** Ids in an order that is neither that of the list nor its reverse. */
  const rows = [
    { id: 20, created_at: '2026-03-02T10:00:00.000Z' },
    { id: 12, created_at: '2026-03-05T10:00:00.000Z' },
    { id: 11, created_at: '2026-03-02T10:00:00.000Z' },
    { id: 13, created_at: '2026-03-01T10:00:00.000Z' },
    { id: 15, created_at: '2026-03-02T10:00:00.000Z' },
  ];
  const newestFirst = [12, 20, 15, 11, 13];

  beforeAll(async () => {
    await backoffice.sql('truncate issues');
    for (const { id, created_at } of rows) {
      await backoffice.sql("insert into issues (id, title, created_at) values ($1, 'Listed', $2)", [
        id,
        created_at,
      ]);
    }
  });

  async function list(path: string) {
    const { status, body } = await backoffice.api.get(path);
    expect(status).toBe(200);
    return body as { issues: { id: number; created_at: string }[] };
  }

  test.for([
    ['without a period', '/issues'],
    ['with an empty period', '/issues?period='],
    ['with a period that has no value', '/issues?period'],
  ] as const)('section 4.1: %s the answer has every issue and no other field', async ([, path]) => {
    const body = await list(path);
    expect(Object.keys(body)).toEqual(['issues']);
    expect(body.issues).toHaveLength(rows.length);
  });

  test('section 4.1: issues are ordered by created_at descending, ties by id descending', async () => {
    const { issues } = await list('/issues');
    expect(issues.map(({ id }) => id)).toEqual(newestFirst);
    expect(issues[0]?.created_at).toBe('2026-03-05T10:00:00.000Z');
  });

  test('section 4.1: a status change does not change the order', async () => {
    await backoffice.api.put('/issues', { id: 13, status: 'Closed' });
    const { issues } = await list('/issues');
    expect(issues.map(({ id }) => id)).toEqual(newestFirst);
  });
});

describe('the status of an issue', () => {
  const statuses = ['Open', 'In Progress', 'Resolved', 'Closed'];

  interface Row {
    id: string;
    status: string;
    refreshed: boolean;
    old: boolean;
  }

  /** Creates an issue with that status, last updated a day ago. */
  async function insertIssue(status: string): Promise<number> {
    const [row] = await backoffice.sql<Row>(
      `insert into issues (title, status, created_at, updated_at)
     values ('Yesterday', $1, now() - interval '1 day', now() - interval '1 day') returning id`,
      [status],
    );
    return Number(row?.id);
  }

  function readIssue(id: number): Promise<Row[]> {
    return backoffice.sql<Row>(
      `select status, updated_at > now() - interval '1 minute' as refreshed,
         created_at < now() - interval '1 hour' as old from issues where id = $1`,
      [id],
    );
  }

  describe('section 3: any status may be set from any other', () => {
    const transitions = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

    test.for(transitions)('%s -> %s refreshes updated_at and keeps created_at', async ([from, to]) => {
      const id = await insertIssue(from);
      expect(await backoffice.api.put('/issues', { id, status: to })).toEqual(success);
      expect(await readIssue(id)).toEqual([{ status: to, refreshed: true, old: true }]);
    });
  });

  test('section 3: only the issue with that id changes', async () => {
    const [id, other] = [await insertIssue('Open'), await insertIssue('Open')];
    await backoffice.api.put('/issues', { id, status: 'Closed' });
    expect(await readIssue(other)).toEqual([{ status: 'Open', refreshed: false, old: true }]);
  });

  test('section 4.3: a status change leaves the other fields of the issue unchanged', async () => {
    const id = await insertIssue('Open');
    await backoffice.api.put('/issues', { id, status: 'Closed', title: 'Changed', severity: 'High' });
    expect(await backoffice.sql('select title, severity from issues where id = $1', [id])).toEqual([
      { title: 'Yesterday', severity: 'Low' },
    ]);
  });
});

/** Creates an issue and finds it in the list. */
async function create(issue: InputOf<'issues.create'>) {
  const { client } = backoffice.superadmin;
  const { id } = await client.call('issues.create', issue);
  const list = await client.call('issues.list');
  if (!('issues' in list)) throw new Error('The list of issues has no issues.');
  return list.issues.find((listed) => listed.id === id);
}

test('section 2: an issue has exactly the nine fields of the contract, with their types', async () => {
  const issue = await create({
    title: 'Checkout fails',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens.',
    steps_to_reproduce: '1. Press the button',
  });
  expect(issue).toEqual({
    id: expect.any(Number),
    title: 'Checkout fails',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens.',
    steps_to_reproduce: '1. Press the button',
    status: 'Open',
    created_at: expect.stringMatching(timestampPattern),
    updated_at: expect.stringMatching(timestampPattern),
  });
  expect(issue?.id).toSatisfy(Number.isSafeInteger);
});

const free = { category: 'Überraschung 🐛', severity: 'Blocker' };
const spaced = { category: ' ux ', severity: ' odd ', description: ' a ', steps_to_reproduce: '\n1. b\n' };
const defaults = { category: 'Other', severity: 'Low' };

test.for<[what: string, given: object, stored: object]>([
  ['omitted fields have their defaults', {}, { ...defaults, description: '', steps_to_reproduce: '' }],
  ['an empty category becomes Other and an empty severity Low', { category: '', severity: '' }, defaults],
  [
    'the title is trimmed and keeps its inner spaces',
    { title: ' \t two  words \n' },
    { title: 'two  words' },
  ],
  ['the other texts are stored as given', spaced, spaced],
  ['category and severity accept any text', free, free],
])('section 2: %s', async ([, given, stored]) => {
  expect(await create({ title: 'A title', ...given })).toMatchObject(stored);
});

test('section 2: created_at and updated_at are set to the creation time', async () => {
  const before = Date.now();
  const issue = await create({ title: 'Now' });
  const created = Date.parse(issue?.created_at ?? '');
  // The test and its Postgres share a clock, and both cut it to milliseconds.
  expect(created).toBeGreaterThanOrEqual(before - 1);
  expect(created).toBeLessThanOrEqual(Date.now() + 1);
  expect(issue?.updated_at).toBe(issue?.created_at);
});

test('section 2: the service assigns unique ids, and ignores the id and the status of a request', async () => {
  const create = () => backoffice.api.post('/issues', { id: 7_000_000, title: 'Mine', status: 'Closed' });
  const first = await create();
  expect(first).toEqual({ status: 200, body: { success: true, id: expect.any(Number) } });
  expect((await create()).body).not.toEqual(first.body);
  const born = "select distinct id = 7000000 as given, status from issues where title = 'Mine'";
  expect(await backoffice.sql(born)).toEqual([{ given: false, status: 'Open' }]);
});
