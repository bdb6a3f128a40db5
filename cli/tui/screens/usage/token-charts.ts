import { inCents } from '../../../../src/contract/figures.ts';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { pad } from '../../../terminal/cells.ts';
import { counted } from '../../../terminal/number.ts';
import { type Bar, bars, columnChart } from '../../components/bars.ts';
import { theme } from '../../theme.ts';
import { heading } from './headings.ts';

type Analytics = OutputOf<'settings.show'>;
type TokenUsage = NonNullable<Analytics['tokenUsage']>;
type Days = NonNullable<Analytics['tokenDailyBreakdown']>;

/** The height of the charts of the days. */
const chartRows = 3;
/** From this width on, the charts of the cost stand beside those of the tokens. */
const wideColumns = 110;

/** Returns the charts of the tokens and, beside or below them, those of the cost. No chart has both. */
export function tokenCharts(usage: TokenUsage, days: Days, width: number): string[] {
  if (usage.byModel.length === 0) return [heading('By model'), `    ${theme.quiet('No usage this month.')}`];
  const isWide = width >= wideColumns;
  const cells = isWide ? Math.floor(width / 2) - 2 : width;
  const tokens = [
    heading('Tokens by model'),
    ...bars(usage.byModel.map(tokensOfModel).sort(byCount), cells),
    '',
    ...dayChart(
      'Tokens by day',
      days.map(({ totalTokens }) => totalTokens),
      inTokens,
      cells,
    ),
  ];
  const inMoney = (cost: number) => `${inCents(cost)} ${usage.currency}`;
  const cost = [
    heading('Cost by model'),
    ...bars(usage.byModel.map((row) => costOfModel(row, usage)).sort(byCount), cells),
    '',
    ...dayChart(
      'Cost by day',
      days.map((day) => Number(day.cost)),
      inMoney,
      cells,
    ),
  ];
  if (!isWide) return [...tokens, '', ...cost, '', ...dayLines(days, usage.currency)];
  const beside = tokens.map((line, at) => `${pad(line, cells + 2)}${cost[at] ?? ''}`.trimEnd());
  return [...beside, '', ...dayLines(days, usage.currency)];
}

type ModelUsage = TokenUsage['byModel'][number];

const byCount = (one: Bar, other: Bar) => other.count - one.count;
const inTokens = (tokens: number) => counted(tokens, 'token');
const tokensOfModel = ({ model, totalTokens }: ModelUsage): Bar => ({
  label: model,
  count: totalTokens,
  valueText: inTokens(totalTokens),
  paint: theme.accent,
});
const costOfModel = ({ model, cost }: ModelUsage, { currency }: TokenUsage): Bar => ({
  label: model,
  count: Number(cost ?? 0),
  valueText: cost === null ? 'no price' : `${cost} ${currency}`,
  paint: theme.accent,
});

/** Returns a column for each day. The note gives the columns their scale. */
function dayChart(
  title: string,
  numbers: readonly number[],
  nameOf: (number: number) => string,
  cells: number,
): string[] {
  const highest = Math.max(0, ...numbers);
  return [
    heading(title, highest === 0 ? 'none' : `${nameOf(highest)} on the highest day`),
    ...columnChart(numbers, chartRows, cells - 5).map((line) => `    ${theme.accent(line)}`),
  ];
}

/** Returns the numbers of each day, the latest first. */
function dayLines(days: Days, currency: string): string[] {
  const rows = [...days]
    .reverse()
    .map(({ date, totalTokens, cost }) => [date, inTokens(totalTokens), `${cost} ${currency}`]);
  const cells = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    heading('Days'),
    ...rows.map((row) => `    ${row.map((text, column) => text.padStart(cells[column] ?? 0)).join('  ')}`),
  ];
}
