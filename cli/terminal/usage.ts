import type { OutputOf } from '../../src/contract/registry.ts';
import { cellsOf, wrap } from './cells.ts';
import { renderGauge } from './chart.ts';
import { unreadableUsageSettings } from './describe-setting.ts';
import { grouped, percent, printable } from './text.ts';
import { severityTone, type Tone } from './tones.ts';
import type { Alert } from './usage-columns.ts';

// The figures of a month, as commands and the dashboard draw them. A width of Infinity breaks no line.

type Shown = OutputOf<'settings.show'>;
type Toned = (tone: Tone | undefined) => Paint;

const gaugeCells = 24;
const minCells = 16;

type Paint = (text: string) => string;

/** Breaks a text into lines, the first one behind a start, the others below each other. */
function hanging(start: string, text: string, width: number, paint: Paint = (line) => line): string[] {
  const blank = ' '.repeat(cellsOf(start));
  const lines = wrap(text, Math.max(minCells, width - blank.length));
  return lines.map((line, at) => `${at === 0 ? start : blank}${paint(line)}`);
}

/** Returns the lines of a named figure. */
const named = (name: string, text: string, width: number, { cells = 10, paint }: Named = {}) =>
  hanging(`  ${name.padEnd(cells)}`, text, width, paint);

interface Named {
  readonly cells?: number;
  readonly paint?: Paint;
}

/** Returns the requests, tokens and cost of a month, the used share of its budget, and what of the settings is unreadable. */
export function usageLines({ tokenUsage, settings }: Shown, width: number, toned: Toned): readonly string[] {
  if (tokenUsage === undefined) return [];
  const { requests, failedRequests, inputTokens, cachedInputTokens, outputTokens } = tokenUsage;
  const { cost, currency, unpricedTokens, budget } = tokenUsage;
  const money = (amount: string) => `${amount} ${currency}`;
  const unpriced = `without ${grouped(unpricedTokens)} tokens of models that have no price (backoffice usage prices set)`;
  return [
    ...named('requests', `${grouped(requests)}, of which ${grouped(failedRequests)} failed`, width),
    ...named(
      'tokens',
      `${grouped(inputTokens)} in (${grouped(cachedInputTokens)} cached), ${grouped(outputTokens)} out`,
      width,
    ),
    ...named('cost', money(cost), width),
    ...(unpricedTokens > 0 ? named('', unpriced, width) : []),
    ...(budget === null ? [] : budgetLines(budget, money, width, toned)),
    ...unreadableUsageSettings(settings).flatMap(({ name, problem }) =>
      named(name, `unreadable: ${problem}`, width, { paint: toned('warning') }),
    ),
  ];
}

type Budget = NonNullable<NonNullable<Shown['tokenUsage']>['budget']>;

function budgetLines(
  { limit, usedRatio, projectedCost }: Budget,
  money: (amount: string) => string,
  width: number,
  toned: Toned,
): readonly string[] {
  const tone = usedRatio >= 1 ? 'alarm' : usedRatio >= 0.8 ? 'warning' : undefined;
  const gauge = toned(tone)(renderGauge(usedRatio, gaugeCells));
  const expected = projectedCost === null ? '' : `, ${money(projectedCost)} expected by the end of the month`;
  const text = `${percent(usedRatio)} of ${money(limit)}${expected}`;
  return hanging(`  budget    ${gauge} `, text, width);
}

/** Returns the alerts about budgets, each with its severity while it fires. */
export function alertLines(alerts: readonly Alert[], width: number, toned: Toned): readonly string[] {
  return alerts.flatMap(({ severity, status, message }) => {
    const isFiring = status === 'firing';
    const word = printable(isFiring ? severity : status);
    return hanging(`  ${toned(isFiring ? severityTone(severity) : 'quiet')(word)}: `, message, width);
  });
}

/** Returns the runs, pages and items of a month. */
export function scrapingLines(scraping: NonNullable<Shown['scraping']>, width: number): readonly string[] {
  const { runs, succeededRuns, failedRuns, cancelledRuns } = scraping;
  const { pagesSucceeded, pagesFailed, pagesBlocked, itemsScraped } = scraping;
  const running = runs - succeededRuns - failedRuns - cancelledRuns;
  const ended = `${succeededRuns} succeeded, ${failedRuns} failed, ${cancelledRuns} cancelled`;
  const left = running > 0 ? `, ${grouped(running)} running` : '';
  const pages = `${grouped(pagesSucceeded)} succeeded, ${grouped(pagesFailed)} failed, ${grouped(pagesBlocked)} blocked`;
  const cells = 7;
  return [
    ...named('runs', `${grouped(runs)}: ${ended}${left}`, width, { cells }),
    ...named('pages', pages, width, { cells }),
    ...named('items', grouped(itemsScraped), width, { cells }),
  ];
}
