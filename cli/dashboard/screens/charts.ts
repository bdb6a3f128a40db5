import { agePeriods } from '../../../src/contract/issue-ages.ts';
import type { IssuePeriod } from '../../../src/contract/vocabulary.ts';
import { cellsOf, wrap } from '../../terminal/cells.ts';
import { type ChartBar, type IssueStatistics, issueCharts, renderBars } from '../../terminal/chart.ts';
import { counted } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import { action, type Screen, type Size } from '../app/types.ts';
import { heading, sideBySide, type Trend, trendFrameRows, trendLines } from '../draw/charts.ts';
import { style, toned } from '../draw/style.ts';
import { linesScreen, loading } from '../list/lines-screen.ts';

interface Loaded {
  readonly statistics: IssueStatistics;
  /** The trend, or why it failed: an older server without it still has the other charts. */
  readonly trend: Trend | string;
  /** The range that the ages are of. */
  readonly period: IssuePeriod;
}

const periods = Object.keys(agePeriods) as IssuePeriod[];
/** With this width, the charts stand in two columns. */
const wideCells = 110;
const minTrendRows = 4;
/** Taller columns are no easier to compare. */
const maxTrendRows = 16;

export function chartsScreen(app: App): Screen {
  let period: IssuePeriod = 'all';
  const load = async (): Promise<Loaded> => {
    const asked = period;
    const trend = app.call('issues.trend', {}).catch(app.explain);
    const statistics = (await app.call('issues.list', { period: asked })) as IssueStatistics;
    return { period: asked, statistics, trend: await trend };
  };
  const loaded = loading(app, load);
  const turn = (by: number) => {
    period = periods[(periods.indexOf(period) + by + periods.length) % periods.length] ?? 'all';
    return loaded.again();
  };
  return linesScreen<Loaded>(app, {
    id: 'charts',
    title: 'Charts',
    events: /^issues?\./,
    loading: loaded,
    actions: [
      action('charts.period', 'p', { title: 'Next age range', hint: 'age range' }, () => turn(1)),
      action('charts.periodBack', 'P', { title: 'Previous age range' }, () => turn(-1)),
    ],
    lines: (found, size) => chartLines(found, period, loaded.hasFailed() ? 'Not loaded.' : 'Loading…', size),
  });
}

/**
 * Draws the charts, in two columns if there is room. On a tall terminal, the trend is taller too.
 *
 * @param otherwise - what is said in place of the ages if those of the range are not there
 */
function chartLines(
  loaded: Loaded,
  period: IssuePeriod,
  otherwise: string,
  { width, height }: Size,
): readonly string[] {
  const { statistics, trend } = loaded;
  const isWide = width >= wideCells;
  const cells = isWide ? Math.floor(width / 2) - 2 : width;
  const charts = issueCharts(statistics, loaded.period, toned);
  const chart = (title: string, bars: readonly ChartBar[], note = '') => [
    heading(title, note),
    ...barLines(bars, cells),
    '',
  ];
  const totals = [
    ...chart('By severity', charts.severities, `${counted(statistics.totalIssues, 'issue')} of all time`),
    ...chart('By status', charts.statuses),
    ...chart('By category', charts.categories),
  ];
  const ages = [
    heading('Age of the issues', 'Each issue counts once.'),
    rangeLine(period, cells),
    ...(loaded.period === period ? ageLines(charts.ages, cells) : [style.quiet(`    ${otherwise}`)]),
    '',
  ];
  const used = trendFrameRows + 1 + ages.length + (isWide ? 0 : totals.length);
  const left = [...trendPart(trend, cells, height - used), '', ...ages];
  return isWide ? sideBySide(left, totals, cells) : [...left, ...totals];
}

function trendPart(trend: Trend | string, cells: number, room: number): readonly string[] {
  if (typeof trend === 'string')
    return [
      heading('Reported issues'),
      ...wrap(`✗ ${trend}`, cells - 8).map((line) => style.bad(`    ${line}`)),
    ];
  const isEmpty = trend.days.every(({ count }) => count === 0);
  const rows = isEmpty ? minTrendRows : Math.max(minTrendRows, Math.min(maxTrendRows, room));
  return trendLines(trend, cells, rows);
}

/** Names the age ranges, or only the chosen one if there is no room for all. A sign marks it on terminals without colours. */
function rangeLine(period: IssuePeriod, cells: number): string {
  const nameOf = (each: IssuePeriod) =>
    each === period ? `▸${style.strong(agePeriods[each])}` : ` ${style.quiet(agePeriods[each])}`;
  const all = `   ${periods.map(nameOf).join('  ')}`;
  return cellsOf(all) <= cells ? all : `   ${nameOf(period)}`;
}

const ageLines = (ages: ReturnType<typeof issueCharts>['ages'], cells: number) =>
  ages.flatMap(({ title, bars }) => {
    const sum = bars.reduce((all, { count }) => all + count, 0);
    if (sum === 0) return [`    ${style.quiet(`${title}: none`)}`];
    return [`    ${style.strong(title)}  ${style.quiet(counted(sum, 'issue'))}`, ...barLines(bars, cells)];
  });

/** Draws bars below a heading. */
const barLines = (bars: readonly ChartBar[], cells: number): readonly string[] =>
  bars.length === 0
    ? []
    : renderBars(bars, cells - 2)
        .split('\n')
        .map((line) => `  ${line}`);
