import { type IssuePeriod, issuePeriods } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, wordOf } from '../app/search-params.ts';

/** The lengths of the trend, in days, and their names. */
export const trendLengths = { '7': '7 days', '30': '30 days', '84': '12 weeks', '364': '52 weeks' } as const;

type TrendLength = keyof typeof trendLengths;

/** What the charts page shows, as its address says. */
export interface ChartSearch {
  readonly days?: TrendLength | undefined;
  readonly period?: IssuePeriod | undefined;
}

/** Reads the address of the charts page. */
export function chartSearch(search: RawSearch): ChartSearch {
  return {
    days: wordOf(Object.keys(trendLengths) as TrendLength[], search.days),
    period: wordOf(Object.keys(issuePeriods) as IssuePeriod[], search.period),
  };
}
