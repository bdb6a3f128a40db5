import { issueAgesOf } from '../../src/contract/issue-ages.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { type IssuePeriod, severities } from '../../src/contract/vocabulary.ts';
import type { ChartBar } from './chart.ts';
import { severityTone, statusTone, type Tone } from './tones.ts';

export type IssueStatistics = Extract<OutputOf<'issues.list'>, { totalIssues: unknown }>;

type Paints = (tone: Tone | undefined) => (text: string) => string;
type BySeverity = { readonly severity: string; readonly count: number };

/**
 * Returns the bars of the charts of issues. Severities come the worst first, others the longest bar first.
 *
 * @param period - the period that the ages of the statistics are of
 */
export function issueCharts(statistics: IssueStatistics, period: IssuePeriod, toned: Paints) {
  const { severityData, severityTotals, statusCounts, categoryCounts } = statistics;
  const bySeverity = (rows: readonly BySeverity[]): readonly ChartBar[] =>
    rows
      .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity))
      .map(({ severity, count }) => ({ label: severity, count, paint: toned(severityTone(severity)) }));
  const byCount = (bars: readonly ChartBar[]) => bars.toSorted((one, other) => other.count - one.count);
  return {
    ages: issueAgesOf(period).map(({ label, title }) => ({
      title,
      bars: bySeverity(severityData.filter(({ period_label }) => period_label === label)),
    })),
    severities: bySeverity(severityTotals),
    statuses: byCount(
      statusCounts.map(({ status, count }) => ({ label: status, count, paint: toned(statusTone(status)) })),
    ),
    categories: byCount(
      categoryCounts.map(({ category, count }) => ({ label: category, count, paint: toned('accent') })),
    ),
  };
}

/** Unknown severities come last. */
function rankOf(severity: string): number {
  const at = (severities as readonly string[]).indexOf(severity);
  return at === -1 ? severities.length : at;
}
