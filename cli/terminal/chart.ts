import { issueAgesOf } from '../../src/contract/issue-ages.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { type IssuePeriod, severities } from '../../src/contract/vocabulary.ts';
import { cellsOf, fit } from './cells.ts';
import { grouped, printable } from './text.ts';
import { severityTone, statusTone, type Tone } from './tones.ts';

/** One bar of a chart. */
export interface ChartBar {
  readonly label: string;
  readonly count: number;
  /** Shown in place of the count. */
  readonly text?: string;
  readonly paint?: (bar: string) => string;
}

const levels = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** A wider column looks like a wall. */
const maxColumnCells = 8;

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const maxBarCells = 50;

/** The share of the width, without the numbers, that labels may take. */
const maxLabelShare = 0.6;

/**
 * Renders horizontal bars with their labels and numbers. No line is wider than the width: long labels are cut.
 *
 * @param width - in terminal cells
 */
export function renderBars(bars: readonly ChartBar[], width: number): string {
  const labels = bars.map(({ label }) => printable(label));
  const numbers = bars.map(({ count, text = grouped(count) }) => printable(text));
  const numberWidth = Math.max(0, ...numbers.map((number) => number.length));
  const both = Math.max(2, width - numberWidth - 6);
  const labelWidth = Math.min(Math.floor(both * maxLabelShare), Math.max(0, ...labels.map(cellsOf)));
  const room = Math.min(maxBarCells, both - labelWidth);
  const max = Math.max(1, ...bars.map(({ count }) => count));
  return bars
    .map(({ count, paint = (bar) => bar }, index) => {
      const number = (numbers[index] ?? '').padStart(numberWidth);
      return `  ${fit(labels[index] ?? '', labelWidth)}  ${number}  ${paint(renderBar((count / max) * room))}`.trimEnd();
    })
    .join('\n');
}

/** Renders a bar of a number of cells, to an eighth of a cell. Anything above zero is visible. */
export function renderBar(cells: number): string {
  const parts = cells > 0 ? Math.max(1, Math.round(cells * 8)) : 0;
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** Renders a ratio as a gauge of a number of cells. More than 1 is drawn as full. */
export function renderGauge(ratio: number, width: number): string {
  const filled = Math.min(width, Math.floor(ratio * width));
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/**
 * Renders the lines of a column chart, the top line first. The columns are as wide as there is room, with a gap between them
 * if it fits. Anything above zero is visible.
 *
 * @param width - in terminal cells
 */
export function renderColumns(counts: readonly number[], height: number, width: number): string[] {
  const room = Math.floor(width / counts.length);
  const [cells, gap] = room > 1 ? [Math.min(maxColumnCells, room - 1), ' '] : [1, ''];
  const max = Math.max(1, ...counts);
  const heights = counts.map((count) =>
    count > 0 ? Math.max(1, Math.round((count / max) * height * 8)) : 0,
  );
  return Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * 8;
    return heights.map((each) => levels[Math.max(0, Math.min(8, each - below))]?.repeat(cells)).join(gap);
  });
}

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
