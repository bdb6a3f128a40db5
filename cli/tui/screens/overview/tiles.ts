import { inCents, ratedRuns } from '../../../../src/contract/figures.ts';
import { severities } from '../../../../src/contract/vocabulary.ts';
import { counted, grouped, percent } from '../../../terminal/number.ts';
import { type Paint, severityPaint, theme } from '../../theme.ts';
import type { OverviewData } from './load.ts';
import type { Target } from './targets.ts';

/** A figure that leads to what it counts. */
export interface Tile {
  readonly name: string;
  readonly figure: string;
  readonly note: string;
  readonly paint?: Paint;
  readonly target: Target;
}

const asIs: Paint = (text) => text;

/** Returns the tiles: the unsettled issues by severity, then what else waits for somebody, and what it costs. */
export function tilesOf(data: OverviewData): readonly Tile[] {
  const { unread, assigned } = data;
  return [
    ...severities.map((severity): Tile => {
      const count = data.unsettled[severity] ?? null;
      return {
        name: severity,
        figure: figureOf(count),
        note: 'unsettled',
        paint: count === null || count === 0 ? theme.quiet : severityPaint(severity),
        target: { screen: 'issues', filter: `status:open,inprogress severity:${severity.toLowerCase()}` },
      };
    }),
    ...(assigned === undefined ? [] : [assignedTile(assigned)]),
    {
      name: 'Unread',
      figure: figureOf(unread),
      note: unread === 1 ? 'conversation' : 'conversations',
      paint: unread === null || unread === 0 ? theme.quiet : theme.alarm,
      target: { screen: 'conversations', filter: 'unread' },
    },
    costTile(data),
    scrapingTile(data),
  ];
}

function assignedTile(count: number | null): Tile {
  return {
    name: 'Assigned to you',
    figure: figureOf(count),
    note: 'unsettled',
    paint: count === null || count === 0 ? theme.quiet : asIs,
    target: { screen: 'issues', filter: 'status:open,inprogress assignee:me' },
  };
}

/** What the models cost this month, and how that compares with the budget. */
function costTile({ usage, isBudgetUnreadable }: OverviewData): Tile {
  const tile = { name: 'Cost this month', target: { screen: 'usage', filter: 'Tokens and cost' } } as const;
  if (usage === null || usage === undefined) return { ...tile, figure: '?', note: '' };
  const { cost, currency, budget } = usage;
  const figure = `${inCents(cost)} ${currency}`;
  if (isBudgetUnreadable) return { ...tile, figure, note: 'budget unreadable', paint: theme.warning };
  if (budget === null) return { ...tile, figure, note: 'no budget' };
  const { usedRatio, projectedCost } = budget;
  const limit = inCents(budget.limit).replace(/\.00$/, '');
  const isOver = Number(projectedCost) > Number(limit);
  return {
    ...tile,
    figure,
    note: `${isOver ? `→ ${projectedCost}` : percent(usedRatio)} of ${limit}`,
    paint: usedRatio >= 1 ? theme.alarm : isOver ? theme.warning : asIs,
  };
}

/** How well the scraping goes this month. */
function scrapingTile({ scraping }: OverviewData): Tile {
  const tile = { name: 'Scraping', target: { screen: 'usage', filter: 'Scraping' } } as const;
  if (scraping === null || scraping === undefined) return { ...tile, figure: '?', note: '' };
  const { runs, successRate } = scraping;
  if (runs === 0) return { ...tile, figure: '–', note: 'no runs this month', paint: theme.quiet };
  return {
    ...tile,
    figure: successRate === null ? '–' : percent(successRate),
    note: successRate === null ? 'no results yet' : `of ${counted(ratedRuns(scraping), 'run')}`,
    paint: successRate !== null && successRate < 0.8 ? theme.warning : asIs,
  };
}

/** Returns a count as a figure, and a question mark for one that could not be loaded. */
function figureOf(count: number | null): string {
  return count === null ? '?' : grouped(count);
}
