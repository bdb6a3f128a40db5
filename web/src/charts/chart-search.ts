import type { IssuePeriod } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, wordOf } from '../app/search-params.ts';

/** The lengths of the trend, in days, and their names. */
export const trendLengths = { '7': '7 days', '30': '30 days', '84': '12 weeks', '364': '52 weeks' } as const;

export type TrendLength = keyof typeof trendLengths;

/** The periods of the ages, and their names. */
export const agePeriods = {
  hourly: '24 hours',
  daily: '30 days',
  weekly: '12 weeks',
  monthly: '365 days',
  all: 'All',
} as const satisfies Record<IssuePeriod, string>;

/** What the charts page shows, as its address says. */
export interface ChartSearch {
  readonly days?: TrendLength | undefined;
  readonly period?: IssuePeriod | undefined;
}

/** Reads the address of the charts page. */
export function chartSearch(search: RawSearch): ChartSearch {
  return {
    days: wordOf(Object.keys(trendLengths) as TrendLength[], search.days),
    period: wordOf(Object.keys(agePeriods) as IssuePeriod[], search.period),
  };
}
