import { beforeAll, expect, test } from 'vitest';
import { timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

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

test('section 4.1: issues have all columns', async () => {
  const { issues } = await list('/issues');
  for (const issue of issues) {
    expect(issue).toEqual({
      id: expect.any(Number),
      title: 'Listed',
      category: 'Other',
      severity: 'Low',
      description: '',
      steps_to_reproduce: '',
      status: 'Open',
      created_at: expect.stringMatching(timestampPattern),
      updated_at: expect.stringMatching(timestampPattern),
    });
  }
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

test('section 4.1: the list has no page size and returns each of 5,000 issues once', async () => {
  await backoffice.sql(
    "insert into issues (id, title) select 1000 + n, 'Many' from generate_series(1, 5000) as n",
  );
  const { issues } = await list('/issues');
  expect(new Set(issues.map(({ id }) => id)).size).toBe(5000 + rows.length);
  const ordered = issues.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
  expect(issues).toEqual(ordered);
  await backoffice.sql("delete from issues where title = 'Many'");
});
