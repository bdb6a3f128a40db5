import { beforeEach, expect, test } from 'vitest';
import { selectMonthToDate } from '../../../src/db/analytics/months.ts';
import { readScraping, readTokenUsage } from '../../../src/services/analytics/sections.ts';
import { databaseHere } from '../../support/postgres.ts';

// One connection, so that a time zone left behind on it is detected.
const own = databaseHere(1);

beforeEach(async () => {
  await own.client.query('truncate token_usage_records, scraping_runs cascade');
});

// Checks each day at its start and its end.
test.each([
  ['a plain day', 'UTC', '2026-02-28', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
  ['a leap day', 'UTC', '2028-02-29', '2028-02-29T00:00:00Z', '2028-03-01T00:00:00Z'],
  [
    'the last day of a year',
    'Pacific/Kiritimati',
    '2026-12-31',
    '2026-12-30T10:00:00Z',
    '2026-12-31T10:00:00Z',
  ],
  ['23 hours', 'America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
  [
    '25 hours, first of its month',
    'America/New_York',
    '2026-11-01',
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00:00Z',
  ],
  [
    'the day after 25 hours',
    'America/New_York',
    '2026-11-02',
    '2026-11-02T05:00:00Z',
    '2026-11-03T05:00:00Z',
  ],
  ['23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  [
    'a day that starts at one',
    'America/Havana',
    '2026-03-08',
    '2026-03-08T05:00:00Z',
    '2026-03-09T04:00:00Z',
  ],
  [
    'a half hour of summer time',
    'Australia/Lord_Howe',
    '2026-10-04',
    '2026-10-03T13:30:00Z',
    '2026-10-04T13:00:00Z',
  ],
])('a day has the right bounds: %s in %s, %s', async (_, timezone, date, startsAt, endsAt) => {
  const lastInstant = new Date(Date.parse(endsAt) - 1);
  const instants = [
    Date.parse(startsAt) - 1,
    Date.parse(startsAt),
    lastInstant.getTime(),
    Date.parse(endsAt),
  ];
  for (const [index, instant] of instants.entries()) {
    await own.client.query(
      'insert into token_usage_records (model, occurred_at, input_tokens) values ($1, $2, $3)',
      ['small', new Date(instant), 10 ** index],
    );
    await own.client.query(
      'insert into scraping_runs (source, started_at, pages_failed) values ($1, $2, $3)',
      ['alpha', new Date(instant), 10 ** index],
    );
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

// A month of n days has n * 86,400 seconds, one hour more or less where the clocks change in it.
test.each([
  ['UTC', '2026-02-15T00:00:00Z', 14 * 86_400, 28 * 86_400],
  ['UTC', '2028-02-29T23:59:59.500Z', 29 * 86_400 - 0.5, 29 * 86_400],
  // Noon on 8 March, when summer time starts: 12 hours less the skipped one.
  ['America/New_York', '2026-03-08T16:00:00Z', 7 * 86_400 + 11 * 3_600, 31 * 86_400 - 3_600],
  ['America/New_York', '2026-11-30T20:00:00Z', 29 * 86_400 + 16 * 3_600, 30 * 86_400 + 3_600],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', 24 * 86_400, 31 * 86_400 + 3_600],
  ['Australia/Lord_Howe', '2026-10-31T12:59:59Z', 31 * 86_400 - 1_801, 31 * 86_400 - 1_800],
  // CET is a time zone here, not an offset.
  ['CET', '2026-03-29T01:00:00Z', 28 * 86_400 + 2 * 3_600, 31 * 86_400 - 3_600],
])('counts the seconds of the month in %s at %s', async (timezone, now, elapsed, total) => {
  const month = await selectMonthToDate(own.pool, timezone, new Date(now));
  expect(Number(month.elapsed_seconds)).toBe(elapsed);
  expect(Number(month.total_seconds)).toBe(total);
});

test('the month is the sum of its days when the clocks change', async () => {
  // Every 7 minutes from before the month until after it.
  await own.client.query(`
    insert into token_usage_records
      (occurred_at, model, input_tokens, output_tokens, cached_input_tokens, succeeded)
    select at, 'model ' || n % 3, n, n % 11, n % 5, n % 4 <> 0
    from generate_series(timestamptz '2026-10-30T00:00:00Z', '2026-12-03T00:00:00Z', '7 minutes')
      with ordinality as series (at, n)
  `);
  const { tokenUsage, tokenDailyBreakdown } = await readTokenUsage(
    own.pool,
    { timezone: 'America/New_York' },
    new Date('2026-11-30T20:00:00Z'),
  );
  const { rows } = await own.client.query(`
    select count(*)::integer as requests, count(*) filter (where not succeeded)::integer as "failedRequests",
      sum(input_tokens)::integer as "inputTokens", sum(output_tokens)::integer as "outputTokens",
      sum(cached_input_tokens)::integer as "cachedInputTokens"
    from token_usage_records
    where occurred_at >= '2026-11-01T04:00:00Z' and occurred_at < '2026-12-01T05:00:00Z'
  `);
  expect(tokenDailyBreakdown).toHaveLength(30);
  expect(tokenUsage).toMatchObject(rows[0]);
  for (const field of [
    'requests',
    'failedRequests',
    'inputTokens',
    'outputTokens',
    'cachedInputTokens',
    'totalTokens',
  ] as const) {
    expect(tokenUsage[field]).toBe(tokenDailyBreakdown.reduce((sum, day) => sum + day[field], 0));
    if (field === 'failedRequests' || field === 'cachedInputTokens') continue;
    expect(tokenUsage[field]).toBe(tokenUsage.byModel.reduce((sum, model) => sum + model[field], 0));
  }
});

test.each([
  ['Mars/Olympus', 'UTC'],
  ['', 'UTC'],
  ['+05:00', 'UTC'],
  ['FOO3', 'UTC'],
  ["UTC'; drop table settings; --", 'UTC'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Etc/GMT-3', 'Etc/GMT-3'],
])('the time zone setting %j reads as %s', async (timezone, expected) => {
  const now = new Date('2026-09-01T00:00:00Z');
  expect((await readTokenUsage(own.pool, { timezone }, now)).tokenUsage.timezone).toBe(expected);
  expect((await readScraping(own.pool, { timezone }, now)).scraping.timezone).toBe(expected);
});

test('reads only the own keys of the settings', async () => {
  const settings = JSON.parse('{"__proto__": {"timezone": "Europe/Berlin"}, "constructor": "Europe/Berlin"}');
  const { tokenUsage } = await readTokenUsage(own.pool, settings);
  expect(tokenUsage).toMatchObject({ timezone: 'UTC', currency: 'USD' });
});

test('a name that is also an abbreviation reads as the zone, with summer time', async () => {
  const { tokenDailyBreakdown } = await readTokenUsage(
    own.pool,
    { timezone: 'CET' },
    new Date('2026-07-01T22:00:00Z'),
  );
  expect(tokenDailyBreakdown.map(({ date }) => date)).toEqual(['2026-07-01', '2026-07-02']);
});

test("a zone that Postgres doesn't know reads as UTC, and the connection keeps its own zone", async () => {
  const now = new Date('2026-09-01T00:00:00Z');
  expect(await selectMonthToDate(own.pool, 'Mars/Olympus', now)).toEqual({
    month: '2026-09',
    timezone: 'UTC',
    dates: ['2026-09-01'],
    day_starts: ['2026-09-01T00:00:00.000Z'],
    starts_at: '2026-09-01T00:00:00.000Z',
    ends_at: '2026-09-02T00:00:00.000Z',
    elapsed_seconds: '0.000000',
    total_seconds: '2592000.000000',
  });
  await own.client.query(`set timezone to 'Asia/Tokyo'`);
  await own.client.query(`select * from month_to_date('America/New_York', now())`);
  const { rows } = await own.client.query(`select current_setting('TimeZone') as timezone`);
  expect(rows).toEqual([{ timezone: 'Asia/Tokyo' }]);
});
