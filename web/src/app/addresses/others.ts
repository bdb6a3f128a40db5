import { scrapingRunSorts } from '../../../../src/contract/fields/sorts.ts';
import { settingGroups } from '../../../../src/contract/known-settings/settings.ts';
import { budgetsKey, pricesKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { runStatuses, sortsOf } from '../../../../src/contract/vocabulary.ts';
import { type Month, monthOf } from '../../parts/months.tsx';
import { type RawSearch, textOf, wordOf, wordsOf } from './search-params.ts';

/** The lengths of the trend, in days, and their names. */
export const trendLengths = { '7': '7 days', '30': '30 days', '84': '12 weeks', '364': '52 weeks' } as const;

/** What the charts page shows, as its address says. */
export interface ChartSearch {
  readonly days?: keyof typeof trendLengths | undefined;
}

/** Reads the address of the charts page. */
export function chartSearch({ days }: RawSearch): ChartSearch {
  return { days: wordOf(Object.keys(trendLengths) as (keyof typeof trendLengths)[], days) };
}

/** What the chart stacks. */
const measures = ['cost', 'tokens'] as const;
export type Measure = (typeof measures)[number];

/** The settings that the page leads to. */
export const usageSettings = { prices: pricesKey, budgets: budgetsKey } as const;

/** Returns the address of the form of prices or budgets, opened for a model. */
export function formAddress(of: keyof typeof usageSettings, model?: string) {
  return { setting: usageSettings[of], model };
}

/** What the usage page shows, as its address says. */
export interface UsageSearch {
  /** Absent for the current month. */
  readonly month?: Month | undefined;
  /** Absent for the cost. */
  readonly measure?: Measure | undefined;
  /** A setting that older addresses edit here. It is edited among the settings. */
  readonly edit?: keyof typeof usageSettings | undefined;
  readonly model?: string | undefined;
}

/** Reads the address of the usage page, and ignores what it does not know. */
export function usageSearch(search: RawSearch): UsageSearch {
  return {
    month: monthOf(search.month),
    measure: wordOf(measures, search.measure),
    edit: wordOf(['prices', 'budgets'], search.edit),
    model: textOf(search.model),
  };
}

/** What the scraping page shows, as its address says. */
export interface ScrapingSearch {
  /** Absent for the current month. */
  readonly month?: Month | undefined;
  /** Absent for the summary. */
  readonly view?: 'runs' | 'errors' | undefined;
  /** Absent for the results. */
  readonly by?: 'source' | undefined;
  readonly q?: string | undefined;
  readonly source?: string | undefined;
  readonly status?: string | undefined;
  readonly sort?: 'started_at' | '-started_at' | undefined;
  /** The run in the drawer, which is beside the runs. */
  readonly run?: string | undefined;
}

/** Reads the address of the scraping page, and ignores what it does not know. */
export function scrapingSearch(search: RawSearch): ScrapingSearch {
  const run = textOf(search.run);
  return {
    month: monthOf(search.month),
    view: run === undefined ? wordOf(['runs', 'errors'], search.view) : 'runs',
    by: wordOf(['source'], search.by),
    q: textOf(search.q),
    source: textOf(search.source),
    status: wordsOf(runStatuses, search.status),
    sort: wordOf(sortsOf(scrapingRunSorts), search.sort),
    run,
  };
}

/** The groups of the page: those of the settings that the service reads, and one of all others. */
export const shownGroups = [...settingGroups, 'Other'] as const;
export type ShownGroup = (typeof shownGroups)[number];

/** What the settings page shows, as its address says. */
export interface SettingSearch {
  readonly q?: string | undefined;
  readonly group?: ShownGroup | undefined;
  /** The key of the setting whose value is edited. */
  readonly setting?: string | undefined;
  /** Whether its stored text is edited, where it has rows. */
  readonly as?: 'json' | undefined;
  /** The model that needs a price or a budget. */
  readonly model?: string | undefined;
  readonly dialog?: 'add' | undefined;
}

/** Reads the address of the settings page, and ignores what it does not know. */
export function settingSearch(search: RawSearch): SettingSearch {
  return {
    q: textOf(search.q),
    group: wordOf(shownGroups, search.group),
    setting: textOf(search.setting),
    as: wordOf(['json'] as const, search.as),
    model: textOf(search.model),
    dialog: wordOf(['add'] as const, search.dialog),
  };
}

const dialogs = ['account', 'password', 'app', 'passkey', 'codes'] as const;

/** What the profile page shows, as its address says. */
export interface ProfileSearch {
  /** The dialog that is open. */
  readonly dialog?: (typeof dialogs)[number] | undefined;
}

/** Reads the address of the profile page. */
export function profileSearch(search: RawSearch): ProfileSearch {
  return { dialog: wordOf(dialogs, search.dialog) };
}

/** Where the sign-in leads, and why it is shown, as its address says. */
interface SignInSearch {
  /** The address that one wanted to see. */
  readonly back?: string | undefined;
  /** `ended` if a session has ended while its page was open. */
  readonly why?: 'ended' | undefined;
}

/** Reads the address of the sign-in. */
export function signInSearch(search: RawSearch): SignInSearch {
  return { back: textOf(search.back), why: wordOf(['ended'], search.why) };
}
