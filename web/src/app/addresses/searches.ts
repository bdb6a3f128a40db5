import { admins } from '../../../../src/contract/fields/admins.ts';
import { conversations } from '../../../../src/contract/fields/conversations.ts';
import { issues } from '../../../../src/contract/fields/issues.ts';
import { scrapingRunSorts } from '../../../../src/contract/fields/sorts.ts';
import { settingGroups } from '../../../../src/contract/known-settings/settings.ts';
import { budgetsKey, pricesKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { roles, runStatuses, sortsOf } from '../../../../src/contract/vocabulary.ts';
import { type FilterOf, filterReader, periodOf } from '../../kit/address.ts';
import { monthOf } from '../../parts/months.tsx';
import { numberOf, oneOf, type RawSearch, searchReader, textOf, wordsOf } from './search-params.ts';

/*
 * What each page shows, as its address says: a function reads it, and ignores what it does not know. Addresses are an
 * interface: those that a page once had still work.
 */

/** Of pages that always show the same. */
export const noSearch = searchReader({});

export type IssueFilter = FilterOf<typeof issues>;
export const issueFilter = filterReader(issues);

/** What an address without a filter opens, unless the admin has put another view first. */
export const unresolved = { status: 'Open,In Progress' } as const;

const issueParts = searchReader({
  /** `all` if an address without a filter is meant to find all. */
  view: oneOf('all'),
  /** The issue in the drawer. */
  issue: numberOf,
  /** What the drawer shows below it. */
  tab: oneOf('comments', 'history', 'links'),
  edit: oneOf('true'),
  /** Whether the dialog to report an issue is open. */
  report: oneOf('true'),
});

export const issueSearch = (search: RawSearch) => ({ ...issueFilter(search), ...issueParts(search) });

/** What takes the drawer and the dialog out of the address. */
export const listOnly = { issue: undefined, tab: undefined, edit: undefined, report: undefined } as const;

const fieldsOfConversations = filterReader(conversations);
const isUnread = searchReader({ unread: oneOf('true') });

/** Reads what the list of conversations is filtered by. */
export function conversationFilter(search: RawSearch) {
  // The list has one order: what changed last comes first.
  const { sort: _sort, ...filter } = fieldsOfConversations(search);
  return { ...filter, ...isUnread(search) };
}

const conversationParts = searchReader({
  /** `all`, as for issues. */
  view: oneOf('all'),
  /** The conversation of the thread. */
  id: textOf,
  /** What may lie over the page: the visitor's pane of narrow windows, a dialog, and what now is a page of its own. */
  show: oneOf('details', 'new-issue', 'saved-replies'),
});

export const conversationSearch = (search: RawSearch) => ({
  ...conversationFilter(search),
  ...conversationParts(search),
});

/** The id of the reply that is edited, or `new`, is in `edit`. */
export const savedReplySearch = searchReader({
  q: textOf,
  edit: (value) => (value === 'new' ? value : numberOf(value)),
});

export type AdminFilter = FilterOf<typeof admins>;
export const adminFilter = filterReader(admins);

const adminParts = searchReader({
  // Older links lead to the form with a password.
  dialog: (value) => (value === 'invite' || value === 'create' ? 'invite' : undefined),
  /** The id of the admin in the dialog. */
  edit: textOf,
});

export const adminSearch = (search: RawSearch) => ({ ...adminFilter(search), ...adminParts(search) });

/** The page checks the words, which it loads with itself. */
const auditParts = searchReader({
  q: textOf,
  actor: textOf,
  event: textOf,
  door: textOf,
  subject: textOf,
  /** The record in the drawer. */
  entry: numberOf,
});

export const auditSearch = (search: RawSearch) => ({ ...auditParts(search), ...periodOf(search) });

/** The page checks the words, which it loads with itself. */
const webhookParts = searchReader({
  /** The dialog that is open: `new`, or `edit` or `failed` with the id of a webhook, such as `edit-7`. */
  dialog: textOf,
  /** The webhook whose deliveries are shown. */
  webhook: numberOf,
  q: textOf,
  status: textOf,
  type: textOf,
  /** The type, in older addresses. */
  event: () => undefined,
  /** The delivery in the drawer. */
  delivery: numberOf,
});

export function webhookSearch(search: RawSearch) {
  return { ...webhookParts({ ...search, type: search.type ?? search.event }), ...periodOf(search) };
}

export const tokenSearch = searchReader({
  q: textOf,
  /** Which tokens; without it the valid ones. */
  show: oneOf('ended', 'all'),
  dialog: oneOf('new', 'shell'),
});

export type SessionSearch = ReturnType<typeof sessionSearch>;
export const sessionSearch = searchReader({ q: textOf, role: (value) => wordsOf(roles, value) });

/** The lengths of the trend, in days, and their names. */
export const trendLengths = { '7': '7 days', '30': '30 days', '84': '12 weeks', '364': '52 weeks' } as const;

export const chartSearch = searchReader({
  days: oneOf(...(Object.keys(trendLengths) as (keyof typeof trendLengths)[])),
});

/** The settings that the usage page leads to. */
export const usageSettings = { prices: pricesKey, budgets: budgetsKey } as const;

/** Returns the address of the form of prices or budgets, opened for a model. */
export function formAddress(of: keyof typeof usageSettings, model?: string) {
  return { setting: usageSettings[of], model };
}

/** What the chart of the usage stacks; the address has none for the cost. */
export type Measure = NonNullable<ReturnType<typeof usageSearch>['measure']>;

export const usageSearch = searchReader({
  /** Absent for the current month. */
  month: monthOf,
  measure: oneOf('cost', 'tokens'),
  /** A setting that older addresses edit here. It is edited among the settings. */
  edit: oneOf('prices', 'budgets'),
  model: textOf,
});

const scrapingParts = searchReader({
  /** Absent for the current month. */
  month: monthOf,
  /** Absent for the summary. */
  view: oneOf('runs', 'errors'),
  /** Absent for the results. */
  by: oneOf('source'),
  q: textOf,
  source: textOf,
  status: (value) => wordsOf(runStatuses, value),
  sort: oneOf(...sortsOf(scrapingRunSorts)),
  /** The run in the drawer, which is beside the runs. */
  run: textOf,
});

export function scrapingSearch(search: RawSearch) {
  const parts = scrapingParts(search);
  return parts.run === undefined ? parts : { ...parts, view: 'runs' as const };
}

/** The groups of the settings page: those of the settings that the service reads, and one of all others. */
export const shownGroups = [...settingGroups, 'Other'] as const;
export type ShownGroup = (typeof shownGroups)[number];

export type SettingSearch = ReturnType<typeof settingSearch>;
export const settingSearch = searchReader({
  q: textOf,
  group: oneOf(...shownGroups),
  /** The key of the setting whose value is edited. */
  setting: textOf,
  /** Whether its stored text is edited, where it has rows. */
  as: oneOf('json'),
  /** The model that needs a price or a budget. */
  model: textOf,
  dialog: oneOf('add'),
});

export type ProfileSearch = ReturnType<typeof profileSearch>;
export const profileSearch = searchReader({
  dialog: oneOf('account', 'password', 'app', 'passkey', 'codes'),
});

export const signInSearch = searchReader({
  /** The address that one wanted to see. */
  back: textOf,
  /** `ended` if a session has ended while its page was open. */
  why: oneOf('ended'),
});

export const deviceSearch = searchReader({ code: textOf });
