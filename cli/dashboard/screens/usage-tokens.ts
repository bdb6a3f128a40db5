import { inCents } from '../../../src/contract/figures.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { type ChartBar, renderBars, renderColumns } from '../../terminal/chart.ts';
import { counted, printable } from '../../terminal/text.ts';
import { alertLines, usageLines } from '../../terminal/usage.ts';
import type { ModelUsage } from '../../terminal/usage-columns.ts';
import type { Size } from '../app/types.ts';
import { heading, sideBySide } from '../draw/charts.ts';
import { connectHint } from '../draw/describe.ts';
import { style, toned } from '../draw/style.ts';

type Shown = OutputOf<'settings.show'>;
type Usage = NonNullable<Shown['tokenUsage']>;
type Days = NonNullable<Shown['tokenDailyBreakdown']>;

/** The height of the charts of the days. */
const chartRows = 3;
/** With this width, the charts of the cost stand beside those of the tokens. */
const wideCells = 110;

const inside = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** Draws the tokens and the cost of a month: the used share of the budget, the alerts, by model and by day. */
export function tokenLines(shown: Shown, { width }: Size): readonly string[] {
  const { tokenUsage: usage, tokenAlerts = [], tokenDailyBreakdown: days = [] } = shown;
  if (usage === undefined) return [];
  const alerts = inside(alertLines(tokenAlerts, width - 2, toned));
  return [
    '',
    heading(usage.month, usage.timezone),
    ...inside(usageLines(shown, width - 2, toned)),
    '',
    ...(alerts.length === 0 ? [] : [heading('Alerts'), ...alerts, '']),
    ...(usage.byModel.length === 0
      ? [heading('By model'), `    ${style.quiet('No usage this month.')}`, `    ${style.quiet(connectHint)}`]
      : chartLines(usage, days, width)),
  ];
}

/** Draws the charts of the tokens and, beside or below them, those of the cost. No chart has both. */
function chartLines(usage: Usage, days: Days, width: number): readonly string[] {
  const isWide = width >= wideCells;
  const cells = isWide ? Math.floor(width / 2) - 2 : width;
  const currency = printable(usage.currency);
  const inTokens = (tokens: number) => counted(tokens, 'token');
  const inMoney = (cost: number) => `${inCents(cost)} ${currency}`;
  const charts = (
    what: string,
    barOf: (model: ModelUsage) => Omit<ChartBar, 'label'>,
    numbers: readonly number[],
    nameOf: (number: number) => string,
  ) => {
    const bars = usage.byModel
      .map((model) => ({ label: model.model, ...barOf(model), paint: style.accent }))
      .toSorted((one, other) => other.count - one.count);
    const highest = Math.max(0, ...numbers);
    return [
      heading(`${what} by model`),
      ...inside(renderBars(bars, cells - 2).split('\n')),
      '',
      heading(`${what} by day`, highest === 0 ? 'none' : `${nameOf(highest)} on the highest day`),
      ...renderColumns(numbers, chartRows, cells - 5).map((line) => `    ${style.accent(line)}`),
    ];
  };
  const tokens = charts(
    'Tokens',
    ({ totalTokens }) => ({ count: totalTokens, text: inTokens(totalTokens) }),
    days.map(({ totalTokens }) => totalTokens),
    inTokens,
  );
  const cost = charts(
    'Cost',
    ({ cost }) => ({ count: Number(cost ?? 0), text: cost === null ? 'no price' : `${cost} ${currency}` }),
    days.map((day) => Number(day.cost)),
    inMoney,
  );
  const both = isWide ? sideBySide(tokens, cost, cells) : [...tokens, '', ...cost];
  return [...both, '', heading('Days'), ...dayLines(days, inTokens, currency)];
}

/** Draws the numbers of each day, the latest first. */
function dayLines(days: Days, inTokens: (tokens: number) => string, currency: string): readonly string[] {
  const rows = days
    .toReversed()
    .map(({ date, totalTokens, cost }) => [date, inTokens(totalTokens), `${cost} ${currency}`]);
  const cells = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `    ${row.map((text, column) => text.padStart(cells[column] ?? 0)).join('  ')}`);
}
