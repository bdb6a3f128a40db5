import { agePeriods, issueAgesOf } from '../../../../src/contract/issue-ages.ts';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { type IssuePeriod, severities } from '../../../../src/contract/vocabulary.ts';
import { cellsOf, pad, wrap } from '../../../terminal/cells.ts';
import { counted } from '../../../terminal/number.ts';
import { type Bar, bars } from '../../components/bars.ts';
import type { Size } from '../../state/screen-types.ts';
import { picker, severityPaint, statusPaint, theme } from '../../theme.ts';
import { type Trend, trendLines } from './trend-lines.ts';

/** The periods of the ages, in the order of the choice. */
export const chartPeriods = Object.keys(agePeriods) as IssuePeriod[];

export type IssueStatistics = Extract<OutputOf<'issues.list'>, { totalIssues: number }>;

/** The data of the charts. */
export interface ChartData {
  readonly statistics: IssueStatistics;
  /** The trend, or a sentence about why it failed: an older server without it still has the other charts. */
  readonly trend: Trend | string;
  /** The period that the ages of the statistics are of. */
  readonly period: IssuePeriod;
}

/** The part of the charts that a person chooses the period of. */
export interface AgeChoice {
  readonly period: IssuePeriod;
  /** Why the ages of this period could not be loaded. */
  readonly error: string;
}

const wideColumns = 110;
const trendRows = 4;
/** Taller columns are no easier to compare. */
const maxTrendRows = 16;

/** Returns the charts, in two columns if there is room. In a tall terminal, the trend is taller too. */
export function chartLines(data: ChartData, choice: AgeChoice, { width, height }: Size): string[] {
  const isWide = width >= wideColumns;
  const cells = isWide ? Math.floor(width / 2) - 2 : width;
  const spaced = (parts: readonly (readonly string[])[]) => parts.flatMap((lines) => [...lines, '']);
  const totals = spaced(
    [severityChart, statusChart, categoryChart].map((chart) => chart(data.statistics, cells)),
  );
  const below = spaced([ageChart(data, choice, cells)]);
  const used = trendChart(data.trend, cells, 0).length + 1 + below.length + (isWide ? 0 : totals.length);
  const isEmpty = typeof data.trend === 'string' || data.trend.days.every(({ count }) => count === 0);
  const rows = isEmpty ? trendRows : Math.max(trendRows, Math.min(maxTrendRows, height - used));
  const left = [...spaced([trendChart(data.trend, cells, rows)]), ...below];
  if (!isWide) return [...left, ...totals];
  return Array.from({ length: Math.max(left.length, totals.length) }, (_, at) =>
    `${pad(left[at] ?? '', cells + 2)}${totals[at] ?? ''}`.trimEnd(),
  );
}

function trendChart(trend: Trend | string, cells: number, rows: number): string[] {
  if (typeof trend !== 'string') return trendLines(trend, cells, rows);
  return [title('Reported issues'), ...wrap(`✗ ${trend}`, cells - 8).map((line) => `    ${line}`)];
}

/** Counts the issues of each age by severity. The choice of the period stands with them. */
function ageChart(data: ChartData, choice: AgeChoice, cells: number): string[] {
  const head = [
    title('Age of the issues', 'Each issue counts once.'),
    ` ${periodPicker(choice.period, cells)}`,
  ];
  if (data.period !== choice.period) {
    const text = choice.error === '' ? [theme.quiet('Loading…')] : wrap(`✗ ${choice.error}`, cells - 8);
    return [...head, ...text.map((line) => `    ${line}`)];
  }
  const lines = issueAgesOf(choice.period).flatMap((age) => {
    const rows = data.statistics.severityData.filter(({ period_label }) => period_label === age.label);
    const sum = rows.reduce((all, { count }) => all + count, 0);
    if (sum === 0) return [`  ${theme.quiet(`${age.title}: none`)}`];
    return [
      `  ${theme.strong(age.title)}  ${theme.quiet(counted(sum, 'issue'))}`,
      ...bars(bySeverity(rows).map(severityBar), cells),
    ];
  });
  return [...head, ...lines];
}

function periodPicker(period: IssuePeriod, cells: number): string {
  const names = Object.values(agePeriods);
  const index = chartPeriods.indexOf(period);
  const whole = picker(names, index);
  return cellsOf(whole) < cells ? whole : picker([names[index] ?? ''], 0);
}

function severityChart({ severityTotals, totalIssues }: IssueStatistics, cells: number): string[] {
  return [
    title('By severity', `${counted(totalIssues, 'issue')} of all time`),
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
    ...bars(
      byCount(categoryCounts.map(({ category: label, count }) => ({ label, count, paint: theme.accent }))),
      cells,
    ),
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
