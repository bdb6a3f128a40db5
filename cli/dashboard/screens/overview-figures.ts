import { type ActivityEvent, activityTypes } from '../../../src/contract/activity-types.ts';
import { inCents, ratedRuns } from '../../../src/contract/figures.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { severities } from '../../../src/contract/vocabulary.ts';
import { unreadableUsageSettings } from '../../terminal/describe-setting.ts';
import { counted, grouped, percent } from '../../terminal/text.ts';
import { severityTone, type Tone } from '../../terminal/tones.ts';
import type { App } from '../app/app.ts';
import type { Trend } from '../draw/charts.ts';

const unresolved = 'Open,In Progress';
const unresolvedFilter = 'status:open,inprogress';
const trendDays = 30;
/** More events than are shown: some say nothing, such as that somebody has read a message. */
const maxEvents = 50;

type Analytics = OutputOf<'settings.show'>;

/** What the overview shows. A part that could not be loaded is null. */
export interface Figures {
  /** The number of unresolved issues by severity. */
  readonly unresolved: Readonly<Record<string, number | null>>;
  /** The number of unresolved issues that the user works on; undefined for an operator, who has no account. */
  readonly assigned: number | null | undefined;
  readonly unread: number | null;
  readonly analytics: Analytics | null;
  readonly trend: Trend | null;
  readonly activity: readonly ActivityEvent[] | null;
}

/** Where something of the overview leads: to a row of a screen, or to what a filter finds there. */
export interface Target {
  readonly screen: string;
  readonly key?: string | undefined;
  readonly filter?: string;
}

/** A figure that leads to what it counts. */
export interface Tile {
  readonly name: string;
  readonly figure: string;
  readonly note: string;
  readonly tone?: Tone | undefined;
  readonly target: Target;
}

/** Loads every part by itself, so that one that fails does not hide the others. Rejects if all fail. */
export async function loadFigures({ call, identity }: Pick<App, 'call' | 'identity'>): Promise<Figures> {
  const failures: unknown[] = [];
  let parts = 0;
  const orNull = async <T>(work: Promise<T>): Promise<T | null> => {
    parts += 1;
    try {
      return await work;
    } catch (error) {
      failures.push(error);
      return null;
    }
  };
  const countOf = async (filter: { readonly severity: string } | { readonly assignee: 'me' }) => {
    const page = await call('issues.list', { status: unresolved, ...filter, limit: 1, count: '1' });
    return 'total' in page ? (page.total ?? 0) : 0;
  };
  const hasAccount = typeof identity()?.email === 'string';
  const [counts, assigned, conversations, analytics, trend, latest] = await Promise.all([
    Promise.all(severities.map(async (severity) => [severity, await orNull(countOf({ severity }))] as const)),
    hasAccount ? orNull(countOf({ assignee: 'me' })) : undefined,
    orNull(call('conversations.list', { limit: 1, count: '1' })),
    orNull(call('settings.show', {})),
    orNull(call('issues.trend', { days: trendDays })),
    orNull(call('events.list', { limit: maxEvents, types: activityTypes.join(',') })),
  ]);
  if (failures.length === parts) throw failures[0];
  return {
    unresolved: Object.fromEntries(counts),
    assigned,
    analytics,
    trend,
    unread: conversations && (conversations.unread_total ?? 0),
    activity: latest && (latest.events as readonly ActivityEvent[]),
  };
}

/** Returns the tiles: the unresolved issues by severity, then what else waits for somebody, and what it costs. */
export function tilesOf({ unresolved, assigned, unread, analytics }: Figures): readonly Tile[] {
  const issues = (name: string, count: number | null, filter: string, tone?: Tone): Tile => ({
    name,
    figure: figureOf(count),
    note: 'unresolved',
    tone: count ? tone : 'quiet',
    target: { screen: 'issues', filter: `${unresolvedFilter} ${filter}` },
  });
  return [
    ...severities.map((each) =>
      issues(each, unresolved[each] ?? null, `severity:${each.toLowerCase()}`, severityTone(each)),
    ),
    ...(assigned === undefined ? [] : [issues('Assigned to you', assigned, 'assignee:me')]),
    {
      name: 'Unread',
      figure: figureOf(unread),
      note: unread === 1 ? 'conversation' : 'conversations',
      tone: unread ? 'alarm' : 'quiet',
      target: { screen: 'conversations', filter: 'is:unread' },
    },
    {
      name: 'Cost this month',
      ...costOf(analytics),
      target: { screen: 'usage', filter: 'Tokens and cost' },
    },
    { name: 'Scraping', ...successOf(analytics?.scraping), target: { screen: 'usage', filter: 'Scraping' } },
  ];
}

type Said = Pick<Tile, 'figure' | 'note' | 'tone'>;

/** Says what the models cost this month, and how that compares with the budget. */
function costOf(analytics: Analytics | null): Said {
  const usage = analytics?.tokenUsage;
  if (usage === undefined) return { figure: '?', note: '' };
  const { cost, currency, budget } = usage;
  const figure = `${inCents(cost)} ${currency}`;
  if (unreadableUsageSettings(analytics?.settings ?? {}).some(({ name }) => name === 'budget'))
    return { figure, note: 'budget unreadable', tone: 'warning' };
  if (budget === null) return { figure, note: 'no budget' };
  const { usedRatio, projectedCost } = budget;
  const limit = inCents(budget.limit).replace(/\.00$/, '');
  const isOver = Number(projectedCost) > Number(budget.limit);
  return {
    figure,
    note: `${isOver ? `→ ${projectedCost}` : percent(usedRatio)} of ${limit}`,
    tone: usedRatio >= 1 ? 'alarm' : isOver ? 'warning' : undefined,
  };
}

/** Says how well the scraping goes this month. */
function successOf(scraping: Analytics['scraping']): Said {
  if (scraping === undefined) return { figure: '?', note: '' };
  const { runs, successRate } = scraping;
  if (runs === 0) return { figure: '–', note: 'no runs this month', tone: 'quiet' };
  if (successRate === null) return { figure: '–', note: 'no results yet' };
  return {
    figure: percent(successRate),
    note: `of ${counted(ratedRuns(scraping), 'run')}`,
    tone: successRate < 0.8 ? 'warning' : undefined,
  };
}

/** Returns a count as a figure, and a question mark for one that could not be loaded. */
const figureOf = (count: number | null): string => (count === null ? '?' : grouped(count));
