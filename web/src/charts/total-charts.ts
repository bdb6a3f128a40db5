import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { type IssueStatistics, otherSeverities, severityColour } from '../issues/issue-chart-queries.ts';
import type { ChartData } from '../parts/chart/chart-data.ts';

const statusColours: Readonly<Record<string, string>> = {
  Open: 'var(--status-open)',
  'In Progress': 'var(--status-progress)',
  Resolved: 'var(--status-resolved)',
  Closed: 'var(--status-closed)',
};

/** Counts all issues by their severity, the worst first. */
export function severityChart({ severityTotals }: IssueStatistics): ChartData {
  const names = [...severities, ...otherSeverities(severityTotals.map(({ severity }) => severity))];
  return chartOf(
    'Severity',
    names.map((name) => ({
      name,
      count: severityTotals.find(({ severity }) => severity === name)?.count ?? 0,
      colour: severityColour(name),
      // A comma in a link separates severities.
      search: name.includes(',') ? undefined : { severity: name },
    })),
  );
}

/** Counts all issues by their status. */
export function statusChart({ statusCounts }: IssueStatistics): ChartData {
  return chartOf(
    'Status',
    issueStatuses.map((name) => ({
      name,
      count: statusCounts.find(({ status }) => status === name)?.count ?? 0,
      colour: statusColours[name] ?? '',
      search: { status: name },
    })),
  );
}

/** Counts all issues by their category, the most first. */
export function categoryChart({ categoryCounts }: IssueStatistics): ChartData {
  const sorted = [...categoryCounts].sort((one, other) => other.count - one.count);
  return chartOf(
    'Category',
    sorted.map(({ category, count }) => ({
      name: category,
      count,
      colour: 'var(--series-1)',
      search: { category },
    })),
  );
}

interface Part {
  readonly name: string;
  readonly count: number;
  readonly colour: string;
  readonly search: Readonly<Record<string, string>> | undefined;
}

function chartOf(rowName: string, parts: readonly Part[]): ChartData {
  return {
    rowName,
    series: [{ name: 'Issues', colour: 'var(--series-1)' }],
    rows: parts.map(({ name, count, colour, search }) => ({
      id: name,
      name,
      title: name,
      values: [count],
      colour,
      link: search && { to: '/issues', search },
    })),
  };
}
