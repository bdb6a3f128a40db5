import { queryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { type IssuePeriod, severities } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { receivers } from '../app/data/receivers.ts';
import { reloadSoon } from '../app/data/reload.ts';
import type { Suggestions } from '../form/field.tsx';
import { labelWords } from '../kit/labels.ts';
import type { Series } from '../parts/chart/chart-data.ts';

export type IssueStatistics = Exclude<OutputOf<'issues.list'>, { issues: unknown }>;
export type IssueTrend = OutputOf<'issues.trend'>;
export type IssueDay = IssueTrend['days'][number];

/** The counts of all issues, and those of a period by age. */
export function issueStatisticsQuery(period: IssuePeriod) {
  return queryOptions({
    queryKey: ['issues', 'statistics', period],
    queryFn: async ({ signal }) => (await client.call('issues.list', { period }, signal)) as IssueStatistics,
  });
}

receivers.add(({ type }) => {
  if (!/^issues?\./.test(type)) return;
  reloadSoon(['issues', 'statistics']);
  reloadSoon(['issues', 'trend']);
});

/** The categories and labels in use. */
export const issueWords: Readonly<Record<'category' | 'labels', Suggestions>> = {
  category: {
    queryKey: ['issues', 'words', 'category'],
    queryFn: async ({ signal }) => {
      const statistics = await client.call('issues.list', { period: 'all' }, signal);
      return 'categoryCounts' in statistics ? statistics.categoryCounts.map(({ category }) => category) : [];
    },
  },
  labels: labelWords,
};

/** How many issues were reported on each of the last days. */
export function issueTrendQuery(days: number) {
  return queryOptions({
    queryKey: ['issues', 'trend', days],
    queryFn: ({ signal }) => client.call('issues.trend', { days }, signal),
  });
}

/** So many words beyond the usual ones have a series of their own. The others are one. */
const maxOwnWords = 3;
const otherWords = 'Other severities';

/** Returns the severities as series, the worst first, and after them other words that are in use. */
export function severitySeries(found: Iterable<string>): readonly Series[] {
  const words = otherSeverities(found);
  const shown = words.length > maxOwnWords + 1 ? [...words.slice(0, maxOwnWords), otherWords] : words;
  return [...severities, ...shown].map((name) => ({ name, colour: severityColour(name) }));
}

/** Returns the words that are no usual severity, sorted. */
export function otherSeverities(found: Iterable<string>): readonly string[] {
  return [...new Set(found)].filter((word) => !(severities as readonly string[]).includes(word)).sort();
}

/** Returns the colour of a severity. Words beyond the usual ones share a colour. */
export function severityColour(word: string): string {
  return (severities as readonly string[]).includes(word)
    ? `var(--severity-${word.toLowerCase()})`
    : 'var(--series-4)';
}

/** Returns the sum of the counts of each severity, in the order of the series. */
export function countsOf(
  series: readonly Series[],
  counts: readonly { readonly severity: string; readonly count: number }[],
): readonly number[] {
  const seriesOf = (severity: string) =>
    series.some(({ name }) => name === severity) ? severity : otherWords;
  return series.map(({ name }) =>
    counts.reduce((sum, { severity, count }) => (seriesOf(severity) === name ? sum + count : sum), 0),
  );
}
