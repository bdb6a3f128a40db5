import { beforeAll, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

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

test('section 4.1: the aggregate has exactly the five fields of the contract', async () => {
  const { body } = await backoffice.api.get('/issues?period=daily');
  expect(Object.keys(body as object).sort()).toEqual(
    ['categoryCounts', 'severityData', 'severityTotals', 'statusCounts', 'totalIssues'].sort(),
  );
});

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
