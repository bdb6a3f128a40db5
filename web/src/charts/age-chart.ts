import { issueAgesOf } from '../../../src/contract/issue-ages.ts';
import type { IssuePeriod } from '../../../src/contract/vocabulary.ts';
import { countsOf, type IssueStatistics, severitySeries } from '../issues/issue-chart-queries.ts';
import type { ChartData } from '../parts/chart/chart-data.ts';

/** Returns the issues of a period by their age, as the aggregate of the API counts them. */
export function ageChart({ severityData }: IssueStatistics, period: IssuePeriod, now: number): ChartData {
  const series = severitySeries(severityData.map(({ severity }) => severity));
  const timeOf = (ago: number | undefined) =>
    ago === undefined || ago === 0 ? undefined : new Date(now - ago).toISOString();
  return {
    rowName: 'Reported',
    series,
    rows: issueAgesOf(period).map(({ label, name, title, from, to }) => ({
      id: title,
      name,
      title,
      values: countsOf(
        series,
        severityData.filter(({ period_label }) => period_label === label),
      ),
      link: { to: '/issues', search: { since: timeOf(to), until: timeOf(from) } },
    })),
  };
}
