import type { ChartData, ChartRow } from '../parts/chart/chart-data.ts';
import { counted } from '../parts/numbers.ts';
import { countsOf, type IssueDay, type IssueTrend, severitySeries } from './issue-chart-queries.ts';

const daysOfWeek = 7;
/** More days than that are shown by week. */
const maxBars = 31;
/** A trend of the API has at most so many days. */
const maxDays = 366;

// A calendar day has no zone. Reading it as UTC keeps it the same day everywhere.
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const dated = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns how many days to ask for, so that there are as many before them to compare with, if the API has them. */
export function daysToAsk(days: number): number {
  return days * 2 <= maxDays ? days * 2 : days;
}

/** Returns the last days of a trend as bars: one for each day, or for each week if there are many. */
export function trendChart({ days: all, timezone }: IssueTrend, days: number): ChartData {
  const shown = all.slice(-days);
  const series = severitySeries(
    shown.flatMap(({ bySeverity }) => bySeverity.map(({ severity }) => severity)),
  );
  const isByDay = days <= maxBars;
  const groups = isByDay ? shown.map((day) => [day]) : weeksOf(shown);
  const rows = groups.flatMap((group): ChartRow[] => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return [];
    const isNow = last === shown.at(-1);
    const title = isByDay
      ? long.format(dayOf(first))
      : `${dated.format(dayOf(first))} – ${dated.format(dayOf(last))}`;
    return [
      {
        id: first.date,
        name: short.format(dayOf(first)),
        title: isNow ? `${title}, until now` : title,
        values: countsOf(
          series,
          group.flatMap(({ bySeverity }) => bySeverity),
        ),
        link: { to: '/issues', search: { since: first.startsAt, until: isNow ? undefined : last.endsAt } },
      },
    ];
  });
  return { rowName: `${isByDay ? 'Day' : 'Week from'} (${timezone})`, series, rows };
}

/** Says how many issues were reported in the last days, and whether that is more than before. */
export function trendNote({ days: all }: IssueTrend, days: number): string {
  const sum = sumOf(all.slice(-days));
  const text = `${counted(sum, 'issue')} in ${days} days, ${average.format(sum / days)} a day.`;
  const before = sumOf(all.slice(-2 * days, -days));
  if (all.length < 2 * days || before === 0) return text;
  const change = sum / before - 1;
  if (Math.abs(change) < 0.005) return `${text} As many as in the ${days} days before.`;
  return `${text} ${share.format(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than in the ${days} days before.`;
}

const average = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(undefined, { style: 'percent' });
const dayOf = ({ date }: IssueDay) => new Date(date);
const sumOf = (days: readonly IssueDay[]) => days.reduce((sum, { count }) => sum + count, 0);

/** Divides days into weeks, the last of which ends with the last day. */
function weeksOf(days: readonly IssueDay[]): readonly (readonly IssueDay[])[] {
  const first = days.length % daysOfWeek;
  const starts = Array.from(
    { length: Math.floor(days.length / daysOfWeek) },
    (_, week) => first + week * daysOfWeek,
  );
  return starts.map((start) => days.slice(start, start + daysOfWeek));
}
