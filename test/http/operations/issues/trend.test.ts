import { expect, test } from 'vitest';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

interface Trend {
  timezone: string;
  days: { date: string; startsAt: string; endsAt: string; count: number; bySeverity: object[] }[];
}

const trend = async (query = '') => (await backoffice.api.get(`/issues/trend${query}`)).body as Trend;

test('counts a new issue on the last day, in the time zone of the setting', async () => {
  await backoffice.api.put('/settings', { key: 'timezone', value: 'Pacific/Kiritimati' });
  await backoffice.api.post('/issues', { title: 'T', severity: 'High' });
  const [row] = await backoffice.sql<{ date: string }>(
    "select to_char(created_at at time zone 'Pacific/Kiritimati', 'YYYY-MM-DD') as date from issues",
  );
  const { timezone, days } = await trend();
  expect(timezone).toBe('Pacific/Kiritimati');
  expect(days.filter(({ count }) => count > 0)).toEqual([
    {
      date: row?.date,
      // Midnight there.
      startsAt: instantOf(`${row?.date}T00:00:00+14:00`),
      endsAt: instantOf(`${row?.date}T24:00:00+14:00`),
      count: 1,
      bySeverity: [{ severity: 'High', count: 1 }],
    },
  ]);
});

test.for([
  ['', 30],
  ['?days=7', 7],
  ['?days=1', 1],
  ['?days=0', 1],
  ['?days=-5', 1],
  ['?days=366', 366],
  ['?days=100000', 366],
  ['?days=many', 30],
  ['?days=', 30],
] as const)('/issues/trend%s has %i consecutive days', async ([query, length]) => {
  const { days } = await trend(query);
  expect(days).toHaveLength(length);
  const dates = days.map(({ date }) => date);
  expect(dates).toEqual([...new Set(dates)].sort());
  expect(dates).toEqual(dates.map((_, index) => dayBefore(dates.at(-1) ?? '', length - 1 - index)));
});

const instantOf = (text: string) => new Date(text).toISOString();

function dayBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10);
}
