import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { severities } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import { ChartCard } from '../chart/chart-card.tsx';
import { type ChartData, type ChartRow, dayNames } from '../chart/chart-data.ts';
import { StackedBars } from '../chart/stacked-bars.tsx';
import { Failure } from '../parts/note.tsx';
import { counted, formatPercent } from '../parts/words.ts';

type Trend = OutputOf<'issues.trend'>;
type Day = Trend['days'][number];

const daysOfWeek = 7;
/** More days than that are shown by week. */
const maxBars = 31;
/** A trend of the API has at most so many days. */
const maxDays = 366;

/** The issues of the last days, and of as many days before them to compare with, if the API has them. */
function trendQuery(days: number) {
  const asked = days * 2 <= maxDays ? days * 2 : days;
  return queryOptions({
    queryKey: ['issues', 'charts', asked],
    queryFn: ({ signal }) => client.call('issues.trend', { days: asked }, signal),
  });
}

receivers.add(({ type }) => {
  if (/^issues?\./.test(type)) reloadSoon(['issues', 'charts']);
});

interface TrendProps {
  readonly title: string;
  readonly days: number;
  readonly controls: ReactNode;
}

/** How many issues were reported on each of the last days, by severity. */
export function Trend({ title, days, controls }: TrendProps) {
  const { data, error, refetch } = useQuery(trendQuery(days));
  return (
    <ChartCard
      title={title}
      note={data && noteOf(data, days)}
      controls={controls}
      data={data && chartOf(data, days)}
      failure={error && <Failure error={error} retry={() => void refetch()} />}
      empty={`No issues reported in the last ${days} days.`}
      file="issues-by-day"
    >
      {(chart) => <StackedBars label="Reported issues by day and severity" data={chart} />}
    </ChartCard>
  );
}

// A calendar day has no zone. Reading it as UTC keeps it the same day everywhere.
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dated = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dayOf = ({ date }: Day) => new Date(date);

/** Returns the last days of a trend as bars: one for each day, or for each week if there are many. */
function chartOf({ days: all, timezone }: Trend, days: number): ChartData {
  const shown = all.slice(-days);
  const isByDay = days <= maxBars;
  const groups = isByDay ? shown.map((day) => [day]) : weeksOf(shown);
  const series = severities.map((name) => ({
    name: name as string,
    colour: `var(--severity-${name.toLowerCase()})`,
  }));
  if (shown.some((day) => othersOf([day]) > 0))
    series.push({ name: 'Other severities', colour: 'var(--series-4)' });
  const rows = groups.map((group): ChartRow => {
    const [first, last] = [group[0], group.at(-1)] as [Day, Day];
    const isNow = last === shown.at(-1);
    const title = isByDay
      ? dayNames(first.date).title
      : `${dated.format(dayOf(first))} – ${dated.format(dayOf(last))}`;
    return {
      id: first.date,
      name: short.format(dayOf(first)),
      title: isNow ? `${title}, until now` : title,
      values: series.map(({ name }, index) =>
        index < severities.length ? countOf(group, (severity) => severity === name) : othersOf(group),
      ),
      link: { to: '/issues', search: { since: first.startsAt, until: isNow ? undefined : last.endsAt } },
    };
  });
  return { rowName: `${isByDay ? 'Day' : 'Week from'} (${timezone})`, series, rows };
}

function countOf(days: readonly Day[], isCounted: (severity: string) => boolean): number {
  return days
    .flatMap(({ bySeverity }) => bySeverity)
    .reduce((sum, { severity, count }) => (isCounted(severity) ? sum + count : sum), 0);
}

/** Counts what has a word of its own as severity, such as `blocker`. */
const othersOf = (days: readonly Day[]) =>
  countOf(days, (severity) => !(severities as readonly string[]).includes(severity));

/** Divides days into weeks, the last of which ends with the last day. */
function weeksOf(days: readonly Day[]): readonly (readonly Day[])[] {
  const first = days.length % daysOfWeek;
  const weeks = Math.floor(days.length / daysOfWeek);
  return Array.from({ length: weeks }, (_, week) =>
    days.slice(first).slice(week * daysOfWeek, (week + 1) * daysOfWeek),
  );
}

const average = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Says how many issues were reported in the last days, and whether that is more than in as many days before. */
function noteOf({ days: all }: Trend, days: number): string {
  const [sum, before] = [all.slice(-days), all.slice(-2 * days, -days)].map((some) =>
    countOf(some, () => true),
  );
  if (sum === undefined || sum === 0) return '';
  const text =
    sum < days / 10 ? counted(sum, 'issue') : `${counted(sum, 'issue')}, ${average.format(sum / days)} a day`;
  if (all.length < 2 * days || before === undefined || before === 0) return text;
  const change = sum / before - 1;
  if (Math.abs(change) < 0.01) return `${text}, as many as before`;
  return `${text}, ${formatPercent(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than before`;
}
