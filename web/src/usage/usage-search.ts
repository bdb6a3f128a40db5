import { budgetsKey, pricesKey } from '../../../src/contract/known-settings/token-settings.ts';
import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';
import { type Month, monthOf } from '../parts/months.tsx';

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
