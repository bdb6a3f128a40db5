import { sql } from 'slonik';
import { beforeEach, expect, test } from 'vitest';
import { readIssueTrend } from '../../../src/services/analytics/calendar.ts';
import { readScraping, readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { databaseHere } from '../../support/postgres.ts';

// One connection, so that a time zone left behind on it is detected.
const own = databaseHere(1);

beforeEach(() => own.sql('truncate token_usage_records, scraping_runs, issues cascade'));

// Checks each day at its start and its end.
test.each([
  ['a leap day', 'UTC', '2028-02-29', '2028-02-29T00:00Z', '2028-03-01T00:00Z'],
  ['the last of a year', 'Pacific/Kiritimati', '2026-12-31', '2026-12-30T10:00Z', '2026-12-31T10:00Z'],
  ['25 hours on a 1st', 'America/New_York', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['a day that starts at one', 'America/Havana', '2026-03-08', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ['two midnights on a 1st', 'America/Havana', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['two midnights', 'Atlantic/Azores', '2026-10-25', '2026-10-25T00:00Z', '2026-10-26T01:00Z'],
  ['23.5 hours', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
])('a day has the right bounds: %s in %s, %s', async (_, timezone, date, startsAt, endsAt) => {
  const lastInstant = new Date(Date.parse(endsAt) - 1);
  const instants = [Date.parse(startsAt) - 1, startsAt, lastInstant, endsAt];
  for (const [index, instant] of instants.entries()) {
    const insert = `
      with record as (insert into token_usage_records (model, occurred_at, input_tokens) values ('small', $1, $2))
      insert into scraping_runs (source, started_at, pages_failed) values ('alpha', $1, $2)`;
    await own.sql(insert, [new Date(instant), 10 ** index]);
  }

  for (const now of [new Date(startsAt), lastInstant]) {
    const { tokenUsage, tokenDailyBreakdown } = await readTokenUsage(own.pool, { timezone }, now);
    const dayOfMonth = Number(date.slice(-2));
    expect(tokenUsage).toMatchObject({ month: date.slice(0, 7), timezone });
    expect(tokenDailyBreakdown).toHaveLength(dayOfMonth);
    expect(tokenDailyBreakdown.at(-1)).toMatchObject({ date, requests: 2, inputTokens: 110 });

    const dayBefore = dayOfMonth === 1 ? 0 : 1;
    expect(tokenDailyBreakdown.at(-2)?.inputTokens ?? 0).toBe(dayBefore);
    expect(tokenUsage.inputTokens).toBe(110 + dayBefore);

    const { scraping } = await readScraping(own.pool, { timezone }, now);
    expect(scraping).toMatchObject({ month: date.slice(0, 7), timezone, pagesFailed: 110 + dayBefore });
  }
});

test.each([
  ['Mars/Olympus', 'UTC'],
  ['+05:00', 'UTC'],
  ['europe/berlin', 'Europe/Berlin'],
  // Node knows it, and Postgres does not.
  ['EAT', 'UTC'],
])('the time zone setting %j reads as %s', async (timezone, expected) => {
  const now = new Date('2026-09-01T00:00:00Z');
  expect((await readTokenUsage(own.pool, { timezone }, now)).tokenUsage.timezone).toBe(expected);
  expect((await readScraping(own.pool, { timezone }, now)).scraping.timezone).toBe(expected);
  expect((await readIssueTrend(own.pool, { timezone }, 1, now)).timezone).toBe(expected);
});

const report = (severity: string, times: readonly string[]) =>
  own.sql('insert into issues (title, severity, created_at) select $1, $1, unnest($2::timestamptz[])', [
    severity,
    times,
  ]);

const utcDay = (date: string, next: string) => ({
  date,
  startsAt: `${date}T00:00:00.000Z`,
  endsAt: `${next}T00:00:00.000Z`,
});

test('the trend counts the issues of each day by severity, none on an empty day, and no deleted one', async () => {
  await report('High', ['2026-01-30T00:00:00Z', '2026-01-30T23:59:59.999Z', '2026-01-31T00:00:00Z']);
  await report('Deleted', ['2026-01-30T00:00:00Z', '2026-01-31T00:00:00Z']);
  await own.sql('select fold_issue_count_deltas()');
  await own.sql("delete from issues where severity = 'Deleted'");
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

// One issue each quarter of an hour, and one a millisecond before it, so that each midnight has one on either side.
test.each([
  ['25 hours', 'America/New_York', '2026-11-01'],
  ['a day that starts at one', 'America/Havana', '2026-03-08'],
  ['two midnights on a 1st', 'America/Havana', '2026-11-01'],
  ['two midnights', 'Atlantic/Azores', '2026-10-25'],
  ['three quarters off', 'Pacific/Chatham', '2026-01-31'],
])('the days of the trend follow the time zone: %s, %s, %s', async (_, timezone, date) => {
  const before = await own.pool.oneFirst(sql.unsafe`show timezone`);
  const noon = new Date(`${date}T12:00:00Z`);
  const from = noon.getTime() - 4 * 86_400_000;
  const quarters = Array.from({ length: 8 * 96 }, (__, quarter) => from + quarter * 900_000);
  await report(
    'Low',
    quarters.flatMap((at) => [new Date(at).toISOString(), new Date(at - 1).toISOString()]),
  );
  await own.sql('select fold_issue_count_deltas()');
  // In some zones this noon is on the day before or after.
  const trend = await readIssueTrend(own.pool, { timezone }, 4, noon);
  expect(trend.timezone).toBe(timezone);
  expect(trend.days).toHaveLength(4);
  for (const { date: day, startsAt, endsAt, count } of trend.days) {
    const ofDay = `select count(*)::integer, count(*) filter (
      where created_at >= $1 and created_at < $2
    )::integer as within from issues where to_char(created_at at time zone $3, 'YYYY-MM-DD') = $4`;
    expect(await own.sql(ofDay, [startsAt, endsAt, timezone, day])).toEqual([{ count, within: count }]);
  }
  expect(await own.pool.oneFirst(sql.unsafe`show timezone`)).toBe(before);
});
