import { sql } from 'slonik';
import { beforeEach, describe, expect, test } from 'vitest';
import { readIssueTrend } from '../../../src/services/analytics/calendar.ts';
import { databaseHere } from '../../support/postgres.ts';

// One connection, so that a time zone left behind on it is detected.
const own = databaseHere(1);

beforeEach(async () => {
  await own.client.query('truncate issues');
});

const report = (severity: string, times: readonly string[]) =>
  own.client.query(
    'insert into issues (title, severity, created_at) select $1, $1, unnest($2::timestamptz[])',
    [severity, times],
  );

const utcDay = (date: string, next: string) => ({
  date,
  startsAt: `${date}T00:00:00.000Z`,
  endsAt: `${next}T00:00:00.000Z`,
});

/** Counts the issues of each day that has issues, in plain SQL. */
async function countByDay(timezone: string, first: string, last: string) {
  const { rows } = await own.client.query(
    `select to_char(created_at at time zone $1, 'YYYY-MM-DD') as date, count(*)::integer
     from issues group by 1 having to_char(created_at at time zone $1, 'YYYY-MM-DD') between $2 and $3 order by 1`,
    [timezone, first, last],
  );
  return rows;
}

test('counts the issues of each day by severity, and none on an empty day', async () => {
  await report('High', ['2026-01-30T00:00:00Z', '2026-01-30T23:59:59.999Z', '2026-01-31T00:00:00Z']);
  await report('Low', ['2026-01-30T12:30:00Z', '2026-01-28T23:59:59.999Z', '2026-02-01T00:00:00Z']);
  expect(await readIssueTrend(own.pool, {}, 3, new Date('2026-01-31T09:00:00Z'))).toEqual({
    timezone: 'UTC',
    days: [
      { ...utcDay('2026-01-29', '2026-01-30'), count: 0, bySeverity: [] },
      {
        ...utcDay('2026-01-30', '2026-01-31'),
        count: 3,
        bySeverity: [
          { severity: 'High', count: 2 },
          { severity: 'Low', count: 1 },
        ],
      },
      { ...utcDay('2026-01-31', '2026-02-01'), count: 1, bySeverity: [{ severity: 'High', count: 1 }] },
    ],
  });
});

test('does not count a deleted issue, before or after the counters are folded', async () => {
  const now = new Date('2026-01-31T09:00:00Z');
  await report('High', ['2026-01-31T00:00:00Z', '2026-01-31T01:00:00Z']);
  await own.client.query('select fold_issue_count_deltas()');
  await own.client.query("delete from issues where created_at = '2026-01-31T01:00:00Z'");
  expect((await readIssueTrend(own.pool, {}, 1, now)).days[0]?.count).toBe(1);
  await own.client.query('truncate issues');
  expect((await readIssueTrend(own.pool, {}, 1, now)).days[0]).toEqual({
    ...utcDay('2026-01-31', '2026-02-01'),
    count: 0,
    bySeverity: [],
  });
});

test('reads a negative counter as zero', async () => {
  await report('High', ['2026-01-31T01:00:00Z']);
  await report('Low', ['2026-01-31T01:00:00Z']);
  await own.client.query('select fold_issue_count_deltas()');
  await own.client.query("update issue_buckets set count = -1 where severity = 'High'");
  expect((await readIssueTrend(own.pool, {}, 1, new Date('2026-01-31T09:00:00Z'))).days).toEqual([
    { ...utcDay('2026-01-31', '2026-02-01'), count: 1, bySeverity: [{ severity: 'Low', count: 1 }] },
  ]);
});

describe('days follow the time zone', () => {
  // One issue each quarter of an hour, and one a millisecond before it, so that each midnight has one on either side.
  test.each([
    ['whole hours', 'Europe/Berlin', '2026-01-31'],
    ['23 hours', 'Europe/Berlin', '2026-03-29'],
    ['25 hours', 'America/New_York', '2026-11-01'],
    ['a day that starts at one', 'America/Havana', '2026-03-08'],
    ['half an hour off', 'Asia/Kolkata', '2026-01-31'],
    ['three quarters off', 'Pacific/Chatham', '2026-01-31'],
    ['a half hour of summer time', 'Australia/Lord_Howe', '2026-10-04'],
    ['a leap day', 'Pacific/Kiritimati', '2028-02-29'],
  ])('%s: %s, %s', async (_, timezone, date) => {
    const before = await own.pool.oneFirst(sql.unsafe`show timezone`);
    const noon = new Date(`${date}T12:00:00Z`);
    const from = noon.getTime() - 4 * 86_400_000;
    const quarters = Array.from({ length: 8 * 96 }, (__, quarter) => from + quarter * 900_000);
    await report(
      'Low',
      quarters.flatMap((at) => [new Date(at).toISOString(), new Date(at - 1).toISOString()]),
    );
    for (const fold of ['select fold_issue_count_deltas()', 'select rebuild_issue_counters()']) {
      await own.client.query(fold);
      // In some zones this noon is on the day before or after.
      const trend = await readIssueTrend(own.pool, { timezone }, 4, noon);
      expect(trend.timezone).toBe(timezone);
      const [first, last] = [trend.days[0]?.date ?? '', trend.days.at(-1)?.date ?? ''];
      expect(trend.days.map(({ date: day, count }) => ({ date: day, count }))).toEqual(
        await countByDay(timezone, first, last),
      );
      for (const { startsAt, endsAt, count } of trend.days) {
        const { rows } = await own.client.query(
          'select count(*)::integer from issues where created_at >= $1 and created_at < $2',
          [startsAt, endsAt],
        );
        expect(rows).toEqual([{ count }]);
      }
    }
    expect(await own.pool.oneFirst(sql.unsafe`show timezone`)).toBe(before);
  });
});
