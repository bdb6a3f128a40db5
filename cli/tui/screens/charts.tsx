import type { z } from 'zod';
import type { issueStatisticsSchema } from '../../../src/contract/issues.ts';
import { severities } from '../../../src/contract/vocabulary.ts';
import { apart, pad } from '../../output/cells.ts';
import { counted } from '../../output/number.ts';
import type { App } from '../app.ts';
import { type Bar, bars } from '../components/bars.ts';
import { Lines } from '../components/lines.tsx';
import type { Screen, Size } from '../layer.ts';
import { moveList } from '../list/move.ts';
import { createLooks } from '../looks.ts';
import { createStore, useStore } from '../store.ts';
import { picker, severityPaint, statusPaint, theme } from '../theme.ts';
import { type Trend, trendLines } from './trend.ts';

type Statistics = z.infer<typeof issueStatisticsSchema>;

/** The periods of contract 4.1, and how they are said; `all` is any other value. */
const periods = [
  ['all', 'all time'],
  ['hourly', 'last 24 hours'],
  ['daily', 'last 30 days'],
  ['weekly', 'last 12 weeks'],
  ['monthly', 'last 365 days'],
] as const;

/** From the youngest to the oldest. */
const windows = ['Last Hour', 'Last 24h', 'Last 7 Days', 'Older'];

interface State {
  readonly period: number;
  readonly statistics: Statistics | null;
  readonly trend: Trend | null;
  readonly error: string;
  readonly top: number;
}

export function chartsScreen(app: App): Screen {
  const store = createStore<State>({ period: 0, statistics: null, trend: null, error: '', top: 0 });
  const beginLook = createLooks();
  let seen = 10;
  let total = 0;
  const load = async () => {
    const { period } = store.get();
    const isNewest = beginLook();
    try {
      const [statistics, trend] = await Promise.all([
        app.call('issues.list', { period: periods[period]?.[0] ?? 'all' }),
        app.call('issues.trend', {}),
      ]);
      if (period !== store.get().period || !isNewest()) return;
      store.set({ statistics: statistics as Statistics, trend, error: '' });
    } catch (error) {
      store.set({ error: app.explain(error) });
    }
  };
  const turn = (by: number) => {
    store.set({ period: (store.get().period + by + periods.length) % periods.length });
    void load();
  };
  const put = (top: number) => store.set({ top: Math.max(0, Math.min(top, total - seen)) });
  return {
    id: 'charts',
    title: 'Charts',
    chain: () => 'charts',
    minds: (type) => type.startsWith('issue.'),
    refresh: load,
    back: () => false,
    perform(action) {
      if (action === 'charts.period') return turn(1);
      if (action === 'charts.periodBack') return turn(-1);
      const move = (by: number) => put(store.get().top + by);
      moveList({ pageRows: seen, move, toFirst: () => put(0), toLast: () => put(total) }, action);
    },
    View: ({ width, height }: Size) => {
      const { period, statistics, trend, error, top } = useStore(store);
      const head = picker(
        periods.map(([, name]) => name),
        period,
      );
      const lines =
        statistics === null || trend === null
          ? [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`]
          : draw(statistics, trend, width);
      seen = height - 2;
      total = lines.length;
      const from = Math.max(0, Math.min(top, total - seen));
      const below = total - from - seen;
      const more = below > 0 ? theme.quiet(`↓ ${below} more `) : '';
      return <Lines lines={[apart(head, more, width), '', ...lines.slice(from)]} height={height} />;
    },
  };
}

/** One column of charts, or two where there is room. */
function draw(statistics: Statistics, trend: Trend, width: number): string[] {
  const isWide = width >= 110;
  const cells = isWide ? Math.floor(width / 2) - 2 : width;
  const totals = [severityChart, statusChart, categoryChart].map((chart) => chart(statistics, cells));
  const parts = [trendLines(trend, cells), windowChart(statistics, cells)];
  if (!isWide) return [...parts, ...totals].flatMap((lines) => [...lines, '']);
  const left = parts.flatMap((lines) => [...lines, '']);
  const right = totals.flatMap((lines) => [...lines, '']);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${pad(left[at] ?? '', cells + 2)}${right[at] ?? ''}`.trimEnd(),
  );
}

/** How many of each severity came in each window. */
function windowChart({ severityData }: Statistics, cells: number): string[] {
  const found = windows.flatMap((label) => {
    const rows = severityData.filter(({ period_label }) => period_label === label);
    const sum = rows.reduce((all, { count }) => all + count, 0);
    return [{ label, sum, rows: bySeverity(rows) }];
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

function severityChart({ severityTotals, totalIssues }: Statistics, cells: number): string[] {
  return [
    title('By severity', counted(totalIssues, 'issue')),
    ...bars(bySeverity(severityTotals).map(severityBar), cells),
  ];
}

function statusChart({ statusCounts }: Statistics, cells: number): string[] {
  const found = statusCounts.map(({ status, count }) => ({
    label: status,
    count,
    paint: statusPaint(status),
  }));
  return [title('By status'), ...bars(byCount(found), cells)];
}

function categoryChart({ categoryCounts }: Statistics, cells: number): string[] {
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

/** The worst first, others behind. */
function bySeverity<Row extends { severity: string }>(rows: readonly Row[]): Row[] {
  const rank = (severity: string) => {
    const at = (severities as readonly string[]).indexOf(severity);
    return at === -1 ? severities.length : at;
  };
  return [...rows].sort((one, other) => rank(one.severity) - rank(other.severity));
}
