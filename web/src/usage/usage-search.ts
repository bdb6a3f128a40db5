import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';
import { type Month, monthOf } from '../parts/time/months.ts';

/** What the chart stacks. */
const measures = ['cost', 'tokens'] as const;
export type Measure = (typeof measures)[number];

/** What the usage page shows, as its address says. */
export interface UsageSearch {
  /** Absent for the current month. */
  readonly month?: Month | undefined;
  /** Absent for the cost. */
  readonly measure?: Measure | undefined;
  /** The form that is open. */
  readonly edit?: 'prices' | 'budgets' | undefined;
  /** The model that the form is opened for. */
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
