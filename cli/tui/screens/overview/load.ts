import { type ActivityEvent, activityTypes } from '../../../../src/contract/activity.ts';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { severities } from '../../../../src/contract/vocabulary.ts';
import { unreadableUsageSettings } from '../../../terminal/describe-setting.ts';
import type { App } from '../../state/app.ts';

/** The statuses of issues that somebody still has to work on. */
export const unsettled = 'Open,In Progress';
export const trendDays = 30;
/** More events than are shown: some say nothing, such as that somebody has read a message. */
const maxEvents = 50;

type Analytics = OutputOf<'settings.show'>;

/** What the overview shows. A part that could not be loaded is null. */
export interface OverviewData {
  /** The number of unsettled issues by severity. */
  readonly unsettled: Readonly<Record<string, number | null>>;
  /** The number of unsettled issues that the user works on; undefined for an operator, who has no account. */
  readonly assigned: number | null | undefined;
  readonly unread: number | null;
  readonly usage: Analytics['tokenUsage'] | null;
  /** The setting of the budgets cannot be read, so that no budget applies. */
  readonly isBudgetUnreadable: boolean;
  readonly scraping: Analytics['scraping'] | null;
  readonly trend: OutputOf<'issues.trend'> | null;
  readonly activity: readonly ActivityEvent[] | null;
}

/** Loads every part by itself, so that one that fails does not hide the others. Rejects if all fail. */
export async function loadOverview(app: Pick<App, 'call' | 'store'>): Promise<OverviewData> {
  const { call } = app;
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
    const page = await call('issues.list', { status: unsettled, ...filter, limit: 1, count: '1' });
    return 'total' in page ? (page.total ?? 0) : 0;
  };
  const [counts, assigned, conversations, analytics, trend, latest] = await Promise.all([
    Promise.all(severities.map(async (severity) => [severity, await orNull(countOf({ severity }))] as const)),
    hasAccount(app) ? orNull(countOf({ assignee: 'me' })) : undefined,
    orNull(call('conversations.list', { limit: 1, count: '1' })),
    orNull(call('settings.show', {})),
    orNull(call('issues.trend', { days: trendDays })),
    orNull(call('events.list', { limit: maxEvents, types: activityTypes.join(',') })),
  ]);
  if (failures.length === parts) throw failures[0];
  return {
    unsettled: Object.fromEntries(counts),
    assigned,
    unread: conversations === null ? null : (conversations.unread_total ?? 0),
    usage: analytics?.tokenUsage ?? null,
    isBudgetUnreadable:
      analytics !== null && unreadableUsageSettings(analytics.settings).some(({ name }) => name === 'budget'),
    scraping: analytics?.scraping ?? null,
    trend,
    activity: latest === null ? null : (latest.events as readonly ActivityEvent[]),
  };
}

/** Reports whether the dashboard acts as a person with an account. */
function hasAccount({ store }: Pick<App, 'store'>): boolean {
  return typeof store.get().identity?.email === 'string';
}
