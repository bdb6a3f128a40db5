import { beforeAll, describe, expect, test } from 'vitest';
import { success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

test('a new database has none of section 4', async () => {
  const shown = async (path: string) => (await backoffice.api.get(path)).body;
  expect(await shown('/issues')).toEqual({ issues: [] });
  for (const period of ['hourly', 'monthly', 'all'])
    expect(await shown(`/issues?period=${period}`)).toEqual({
      severityData: [],
      severityTotals: [],
      statusCounts: [],
      categoryCounts: [],
      totalIssues: 0,
    });
  expect(await shown('/conversations')).toEqual({ conversations: [] });
  expect(await shown('/settings')).toMatchObject({ settings: {}, tokenAlerts: [], scrapingErrors: [] });
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
    await backoffice.sql(
      `insert into issues (title, severity, category, status, created_at)
       select 'Aged', age || ' minutes', case when age < $2 then 'Fresh' else 'Stale' end,
         case when age < 7 * $2 then 'Open' else 'Closed' end, now() - make_interval(mins => age)
       from unnest($1::int[]) as age`,
      [ages.map(([age]) => age), day],
    );
  });

  async function aggregate(period: string) {
    const answer = await backoffice.superadmin.client.call('issues.list', { period });
    if (!('severityData' in answer)) throw new Error(`period=${period} gave no aggregate.`);
    return answer;
  }

  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

  test.for([
    ['hourly', 'the last 24 hours', day],
    ['daily', 'the last 30 days', 30 * day],
    ['weekly', 'the last 84 days', 84 * day],
    ['monthly', 'the last 365 days', 365 * day],
    ['yearly', 'no restriction, like any other value', Infinity],
    [' ', 'no restriction: a blank is not empty', Infinity],
  ] as const)(
    'section 4.1: severityData with period=%s has %s, labelled and in order, and the other counts have all',
    async ([period, , window]) => {
      const { severityData, severityTotals, statusCounts, categoryCounts, totalIssues } =
        await aggregate(period);
      expect(severityData).toEqual(
        ages
          .filter(([age]) => age < window)
          .map(([age, label]) => ({ period_label: label, severity: severityOf(age), count: 1 }))
          .sort((a, b) => compare(a.period_label, b.period_label) || compare(a.severity, b.severity)),
      );
      expect(new Set(severityTotals)).toEqual(
        new Set(ages.map(([age]) => ({ severity: severityOf(age), count: 1 }))),
      );
      const byStatus = Object.fromEntries(statusCounts.map(({ status, count }) => [status, count]));
      expect(byStatus).toEqual({ Closed: 7, Open: 6 });
      const byCategory = Object.fromEntries(categoryCounts.map(({ category, count }) => [category, count]));
      expect(byCategory).toEqual({ Fresh: 4, Stale: 9 });
      expect(totalIssues).toBe(13);
    },
  );

  test('section 4.1: issues with the same label and severity are one row, also those of a future date', async () => {
    await backoffice.sql(
      `insert into issues (title, severity, created_at)
       select 'More', 'Same', now() + n % 2 * interval '3 days' from generate_series(1, 40) as n`,
    );
    const { severityData, totalIssues } = await aggregate('hourly');
    expect(severityData).toContainEqual({ period_label: 'Last Hour', severity: 'Same', count: 40 });
    expect(totalIssues).toBe(ages.length + 40);
  });
});

// The tests of every list have its other orders, and those of pages its bytes with and without parameters.
test('section 4.1: issues are ordered by created_at descending, ties by id descending, whatever their status', async () => {
  await backoffice.sql('truncate issues');
  await backoffice.sql(
    `insert into issues (id, title, created_at)
     values (20, 'Listed', '2026-03-02'), (12, 'Listed', '2026-03-05'), (11, 'Listed', '2026-03-02'),
       (13, 'Listed', '2026-03-01'), (15, 'Listed', '2026-03-02')`,
  );
  await backoffice.api.put('/issues', { id: 13, status: 'Closed' });
  const { body } = await backoffice.api.get('/issues?period');
  expect((body as { issues: { id: number }[] }).issues.map(({ id }) => id)).toEqual([12, 20, 15, 11, 13]);
});

const statuses = ['Open', 'In Progress', 'Resolved', 'Closed'];

test.for(statuses)(
  'section 3: the status %s is possible after any, refreshes updated_at and changes nothing else',
  async (to) => {
    await backoffice.sql('truncate issues restart identity');
    await backoffice.sql(
      `insert into issues (title, status, created_at, updated_at)
       select 'Yesterday', status, now() - interval '1 day', now() - interval '1 day'
       from unnest(array['Open', 'In Progress', 'Resolved', 'Closed', 'Open']) as status`,
    );
    for (const id of [1, 2, 3, 4]) {
      const change = { id, status: to, title: 'Changed', severity: 'High' };
      expect(await backoffice.api.put('/issues', change)).toEqual(success);
    }
    const rows = await backoffice.sql(
      `select status, title, severity, created_at < now() - interval '1 hour' as old,
         updated_at > now() - interval '1 minute' as refreshed from issues order by id`,
    );
    const row = { title: 'Yesterday', severity: 'Low', old: true };
    const changed = { ...row, status: to, refreshed: true };
    const other = { ...row, status: 'Open', refreshed: false };
    expect(rows).toEqual([changed, changed, changed, changed, other]);
  },
);

/** Creates an issue and finds it in the list. */
async function create(issue: object) {
  const { body } = await backoffice.api.post('/issues', issue);
  expect(body).toEqual({ success: true, id: expect.any(Number) });
  const list = await backoffice.superadmin.client.call('issues.list');
  if (!('issues' in list)) throw new Error('The list of issues has no issues.');
  return list.issues.find(({ id }) => id === (body as { id: number }).id);
}

test('section 2: an issue has exactly the nine fields of the contract, of which the service sets four', async () => {
  const given = {
    title: 'Checkout fails',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens.',
    steps_to_reproduce: '1. Press the button',
  };
  const before = Date.now();
  const issue = await create({ ...given, id: 7_000_000, status: 'Closed', created_at: '2001-01-01' });
  expect(issue).toEqual({
    ...given,
    id: expect.toSatisfy(Number.isSafeInteger),
    status: 'Open',
    created_at: expect.stringMatching(timestampPattern),
    updated_at: issue?.created_at,
  });
  expect(issue?.id).not.toBe(7_000_000);
  const created = Date.parse(issue?.created_at ?? '');
  // The test and its Postgres share a clock, and both cut it to milliseconds.
  expect(created).toBeGreaterThanOrEqual(before - 1);
  expect(created).toBeLessThanOrEqual(Date.now() + 1);
});

const free = { category: 'Überraschung 🐛', severity: 'Blocker' };
const spaced = {
  title: ' \t two  words \n',
  category: ' ux ',
  severity: ' odd ',
  description: ' a ',
  steps_to_reproduce: '\n1. b\n',
};
const defaults = { category: 'Other', severity: 'Low' };

test.for<[what: string, given: object, stored: object]>([
  ['omitted fields have their defaults', {}, { ...defaults, description: '', steps_to_reproduce: '' }],
  ['an empty category becomes Other and an empty severity Low', { category: '', severity: '' }, defaults],
  ['the title is trimmed, and no other text', spaced, { ...spaced, title: 'two  words' }],
  ['category and severity accept any text', free, free],
])('section 2: %s', async ([, given, stored]) => {
  expect(await create({ title: 'A title', ...given })).toMatchObject(stored);
});
