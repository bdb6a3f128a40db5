import { type RawSearch, wordOf } from '../app/search-params.ts';

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
