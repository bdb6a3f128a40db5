import type { OutputOf } from '../../../../src/contract/registry.ts';
import { fit, wrap } from '../../../output/cells.ts';
import { bar } from '../../../output/chart.ts';
import { counted, grouped, percent } from '../../../output/number.ts';
import { stillRunning } from '../../../output/running.ts';
import { printable } from '../../../output/text.ts';
import { type Bar, bars, columnChart } from '../../components/bars.ts';
import { age } from '../../text/age.ts';
import { type Paint, theme } from '../../theme.ts';

type Shown = OutputOf<'settings.show'>;
type Usage = NonNullable<Shown['tokenUsage']>;

/** How high the columns of the days are. */
const rowsOfDays = 3;

/** Tokens and what they cost this month: the budget, the alerts, by model and by day. */
export function tokenLines(
  { tokenUsage: usage, tokenAlerts = [], tokenDailyBreakdown: days = [] }: Shown,
  width: number,
): string[] {
  if (usage === undefined) return [];
  const {
    month,
    timezone,
    requests,
    failedRequests,
    inputTokens,
    outputTokens,
    cachedInputTokens,
    cost,
    currency,
    unpricedTokens,
  } = usage;
  const tokensByDay = days.map(({ totalTokens }) => totalTokens);
  const failed =
    failedRequests === 0 ? theme.quiet('none failed') : theme.bad(`${grouped(failedRequests)} failed`);
  return [
    heading(`${month}`, timezone),
    `    ${label('Requests')}${grouped(requests)}  ${failed}`,
    `    ${label('Tokens')}${grouped(inputTokens)} in ${theme.quiet(`(${grouped(cachedInputTokens)} cached)`)}, ${grouped(outputTokens)} out`,
    `    ${label('Cost')}${theme.strong(`${cost} ${currency}`)}${unpricedTokens === 0 ? '' : theme.warning(`  without ${counted(unpricedTokens, 'token')} that have no price`)}`,
    ...budgetLines(usage, width),
    '',
    ...alertLines(tokenAlerts, width),
    heading('By model'),
    ...modelLines(usage, width),
    '',
    heading('By day', 'tokens and cost'),
    ...columnChart(tokensByDay, rowsOfDays, width - 5).map((line) => `    ${theme.accent(line)}`),
    ...bars(
      withCosts([...days].reverse(), currency, ({ date }) => date).map((each) => ({
        ...each,
        paint: theme.accent,
      })),
      width,
    ),
  ];
}

const label = (text: string) => theme.quiet(fit(text, 11));
const heading = (text: string, note = '') =>
  `  ${theme.title(text)}${note === '' ? '' : `  ${theme.quiet(printable(note))}`}`;

function budgetLines({ budget, currency }: Usage, width: number): string[] {
  if (budget === null) return [`    ${label('Budget')}${theme.quiet('none is set')}`];
  const { limit, usedRatio, projectedCost } = budget;
  const cells = Math.max(10, Math.min(40, width - 50));
  const used = Math.min(1, usedRatio) * cells;
  const paint: Paint =
    usedRatio >= 1
      ? theme.alarm
      : usedRatio >= 0.8
        ? theme.bad
        : usedRatio >= 0.5
          ? theme.warning
          : theme.good;
  const drawn = fit(bar(used), cells);
  return [
    `    ${label('Budget')}${theme.quiet('▕')}${paint(drawn)}${theme.quiet('▏')} ${theme.strong(percent(usedRatio))} of ${limit} ${currency}`,
    `    ${label('')}${theme.quiet(`${projectedCost} ${currency} by the end of the month, as it goes`)}`,
  ];
}

function alertLines(alerts: NonNullable<Shown['tokenAlerts']>, width: number): string[] {
  if (alerts.length === 0) return [];
  const lines = alerts.flatMap(({ severity, status, message }) => {
    const isFiring = status === 'firing';
    const paint = isFiring ? (severity === 'critical' ? theme.alarm : theme.warning) : theme.quiet;
    const [first = '', ...others] = wrap(message, width - 30);
    return [
      `    ${paint(fit(`${isFiring ? '▲' : '✓'} ${severity}, ${status}`, 22))} ${first}`,
      ...others.map((line) => `${' '.repeat(27)}${line}`),
    ];
  });
  return [heading('Alerts'), ...lines, ''];
}

function modelLines({ byModel, currency }: Usage, width: number): string[] {
  if (byModel.length === 0) return [`    ${theme.quiet('No model was used.')}`];
  const found = [...byModel].sort((one, other) => other.totalTokens - one.totalTokens);
  return bars(
    withCosts(found, currency, ({ model }) => model),
    width,
  );
}

/** Bars of tokens that say what they cost, number below number. */
function withCosts<Row extends { readonly totalTokens: number; readonly cost: string | null }>(
  rows: readonly Row[],
  currency: string,
  labelOf: (row: Row) => string,
): Bar[] {
  const costs = rows.map(({ cost }) => (cost === null ? 'no price' : `${cost} ${currency}`));
  const cells = Math.max(0, ...costs.map((cost) => cost.length));
  return rows.map((row, at) => ({
    label: labelOf(row),
    count: row.totalTokens,
    said: `${grouped(row.totalTokens)}  ${(costs[at] ?? '').padStart(cells)}`,
  }));
}

/** How the scraping of this month went: in numbers, and by source. */
export function scrapingLines({ scraping }: Shown, width: number, now: number): string[] {
  if (scraping === undefined) return [];
  const {
    month,
    timezone,
    runs,
    succeededRuns,
    failedRuns,
    cancelledRuns,
    successRate,
    avgDurationMs,
    lastRunAt,
  } = scraping;
  const { pagesSucceeded, pagesFailed, pagesBlocked, itemsScraped, bySource } = scraping;
  const rate = successRate === null ? '' : `${Math.round(successRate * 100)} % succeeded`;
  const duration = avgDurationMs === null ? '' : `, ${(avgDurationMs / 1000).toFixed(1)} s on average`;
  const sources = bySource.map((source) => ({
    label: source.source,
    count: source.runs,
    said: `${counted(source.runs, 'run')}, ${grouped(source.failedRuns)} failed`,
    paint: source.failedRuns > 0 ? theme.warning : theme.good,
  }));
  const last = lastRunAt === null ? 'there was none' : `${age(lastRunAt, now)} ago`;
  return [
    heading(month, timezone),
    `    ${label('Runs')}${grouped(runs)}  ${theme.quiet(`${rate}${duration}`)}`,
    `    ${label('')}${theme.good(`✓ ${grouped(succeededRuns)}`)}  ${theme.bad(`✗ ${grouped(failedRuns)}`)}  ${theme.quiet(`${grouped(cancelledRuns)} cancelled${stillRunning(scraping)}`)}`,
    `    ${label('Pages')}${grouped(pagesSucceeded)} read, ${grouped(pagesFailed)} failed, ${grouped(pagesBlocked)} blocked`,
    `    ${label('Items')}${grouped(itemsScraped)}`,
    `    ${label('Last run')}${last}`,
    '',
    heading('By source'),
    ...(sources.length === 0 ? [`    ${theme.quiet('Nothing ran this month.')}`] : bars(sources, width)),
  ];
}
