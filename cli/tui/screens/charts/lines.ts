import type { OutputOf } from '../../../../src/contract/registry.ts';
import { issueAges, severities } from '../../../../src/contract/vocabulary.ts';
import { pad, wrap } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import { type Bar, bars } from '../../components/bars.ts';
import { severityPaint, statusPaint, theme } from '../../theme.ts';
import { type Trend, trendLines } from './trend-lines.ts';

export type IssueStatistics = Extract<OutputOf<'issues.list'>, { totalIssues: number }>;

/** The data of the charts. */
export interface ChartData {
  readonly statistics: IssueStatistics;
  /** The trend, or a sentence about why it failed: an older server without it still has the other charts. */
  readonly trend: Trend | string;
}

/** Returns the charts, in two columns if there is room. */
export function chartLines({ statistics, trend }: ChartData, width: number): string[] {
  const isWide = width >= 110;
  const cells = isWide ? Math.floor(width / 2) - 2 : width;
  const totals = [severityChart, statusChart, categoryChart].map((chart) => chart(statistics, cells));
  const parts = [trendChart(trend, cells), ageChart(statistics, cells)];
  if (!isWide) return [...parts, ...totals].flatMap((lines) => [...lines, '']);
  const left = parts.flatMap((lines) => [...lines, '']);
  const right = totals.flatMap((lines) => [...lines, '']);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${pad(left[at] ?? '', cells + 2)}${right[at] ?? ''}`.trimEnd(),
  );
}

function trendChart(trend: Trend | string, cells: number): string[] {
  if (typeof trend !== 'string') return trendLines(trend, cells);
  return [title('New issues by day'), ...wrap(`✗ ${trend}`, cells - 8).map((line) => `    ${line}`)];
}

/** Counts the issues of each age by severity. */
function ageChart({ severityData }: IssueStatistics, cells: number): string[] {
  const found = issueAges.map((label) => {
    const rows = severityData.filter(({ period_label }) => period_label === label);
    const sum = rows.reduce((all, { count }) => all + count, 0);
    return { label, sum, rows: bySeverity(rows) };
  });
  const lines = found.flatMap(({ label, sum, rows }) =>
    sum === 0
      ? [`  ${theme.quiet(`${label}: none`)}`]
      : [
          `  ${theme.strong(label)} ${theme.quiet(counted(sum, 'issue'))}`,
          ...bars(rows.map(severityBar), cells),
        ],
  );
  return [title('Severity over time'), ...lines];
}

function severityChart({ severityTotals, totalIssues }: IssueStatistics, cells: number): string[] {
  return [
    title('By severity', counted(totalIssues, 'issue')),
    ...bars(bySeverity(severityTotals).map(severityBar), cells),
  ];
}

function statusChart({ statusCounts }: IssueStatistics, cells: number): string[] {
  const found = statusCounts.map(({ status, count }) => ({
    label: status,
    count,
    paint: statusPaint(status),
  }));
  return [title('By status'), ...bars(byCount(found), cells)];
}

function categoryChart({ categoryCounts }: IssueStatistics, cells: number): string[] {
  return [
    title('By category'),
    ...bars(byCount(categoryCounts.map(({ category: label, count }) => ({ label, count }))), cells),
  ];
}

const title = (text: string, note = '') =>
  `  ${theme.title(text)}${note === '' ? '' : `  ${theme.quiet(note)}`}`;
const severityBar = ({ severity, count }: { severity: string; count: number }): Bar => ({
  label: severity,
  count,
  paint: severityPaint(severity),
});
const byCount = (found: readonly Bar[]) => [...found].sort((one, other) => other.count - one.count);

/** Sorts by severity, the worst first and unknown ones last. */
function bySeverity<Row extends { severity: string }>(rows: readonly Row[]): Row[] {
  const rank = (severity: string) => {
    const at = (severities as readonly string[]).indexOf(severity);
    return at === -1 ? severities.length : at;
  };
  return [...rows].sort((one, other) => rank(one.severity) - rank(other.severity));
}
