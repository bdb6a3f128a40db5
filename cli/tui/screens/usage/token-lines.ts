import type { OutputOf } from '../../../../src/contract/registry.ts';
import { cellsOf, fit, wrap } from '../../../terminal/cells.ts';
import { renderBar } from '../../../terminal/chart.ts';
import { type UnreadableSetting, unreadableUsageSettings } from '../../../terminal/describe-setting.ts';
import { counted, grouped, percent } from '../../../terminal/number.ts';
import { connectHint } from '../../keys/key-hints.ts';
import { type Paint, theme } from '../../theme.ts';
import { heading, label } from './headings.ts';
import { tokenCharts } from './token-charts.ts';

type Analytics = OutputOf<'settings.show'>;
type TokenUsage = NonNullable<Analytics['tokenUsage']>;

/** Returns the token usage and cost of this month: the budget, the alerts, by model and by day. */
export function tokenLines(
  { settings, tokenUsage: usage, tokenAlerts = [], tokenDailyBreakdown: days = [] }: Analytics,
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
  const unreadable = unreadableUsageSettings(settings);
  const failed =
    failedRequests === 0 ? theme.quiet('none failed') : theme.bad(`${grouped(failedRequests)} failed`);
  const unpriced =
    unpricedTokens === 0
      ? ''
      : theme.warning(`  without ${counted(unpricedTokens, 'token')} that have no price`);
  return [
    heading(month, timezone),
    `    ${label('Requests')}${grouped(requests)}  ${requests === 0 ? theme.quiet(connectHint) : failed}`,
    `    ${label('Tokens')}${grouped(inputTokens)} in ${theme.quiet(`(${grouped(cachedInputTokens)} cached)`)}, ${grouped(outputTokens)} out`,
    `    ${label('Cost')}${theme.strong(`${cost} ${currency}`)}${unpriced}`,
    ...budgetLines(usage, unreadable, width),
    ...unreadable.flatMap((each) => unreadableLines(each, width)),
    '',
    ...alertLines(tokenAlerts, width),
    ...tokenCharts(usage, days, width),
  ];
}

function unreadableLines({ name, problem }: UnreadableSetting, width: number): string[] {
  const title = (name[0] ?? '').toUpperCase() + name.slice(1);
  const indent = cellsOf(label(''));
  return wrap(`unreadable: ${problem}`, Math.max(20, width - indent - 6)).map(
    (line, index) => `    ${label(index === 0 ? title : '')}${theme.warning(line)}`,
  );
}

function budgetLines(
  { budget, currency }: TokenUsage,
  unreadable: readonly UnreadableSetting[],
  width: number,
): string[] {
  if (budget === null && unreadable.some(({ name }) => name === 'budget')) return [];
  if (budget === null) return [`    ${label('Budget')}${theme.quiet('not set')}`];
  const { limit, usedRatio, projectedCost } = budget;
  const cells = Math.max(10, Math.min(40, width - 50));
  const drawn = budgetPaint(usedRatio)(fit(renderBar(Math.min(1, usedRatio) * cells), cells));
  return [
    `    ${label('Budget')}${theme.quiet('▕')}${drawn}${theme.quiet('▏')} ${theme.strong(percent(usedRatio))} of ${limit} ${currency}`,
    ...(projectedCost === null
      ? []
      : [
          `    ${label('')}${theme.quiet(`projected: ${projectedCost} ${currency} by the end of the month`)}`,
        ]),
  ];
}

function budgetPaint(usedRatio: number): Paint {
  if (usedRatio >= 1) return theme.alarm;
  if (usedRatio >= 0.8) return theme.bad;
  return usedRatio >= 0.5 ? theme.warning : theme.good;
}

function alertLines(alerts: NonNullable<Analytics['tokenAlerts']>, width: number): string[] {
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
