import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers } from '../app/data/receivers.ts';
import { reloadSoon } from '../app/data/reload.ts';
import type { Month } from '../parts/months.tsx';

type Shown = OutputOf<'settings.show'>;

export type Scraping = NonNullable<Shown['scraping']>;
export type ScrapingDay = NonNullable<Shown['scrapingDailyBreakdown']>[number];
type ScrapingError = OutputOf<'scrapingRuns.errors'>['errors'][number];

/** An error with the issues that were reported from it. */
export type LinkedError = ScrapingError & { readonly issues: OutputOf<'links.list'>['links'] };

/** Their ids are in the address of the request for their issues. */
const errorPageSize = 100;
const summary = ['scraping', 'summary'] as const;
const errors = ['scraping', 'errors'] as const;

/** The runs of a month in sums, and those of each day; by default of the current month. */
export function scrapingQuery(month: Month = 'current') {
  return queryOptions({
    queryKey: [...summary, month],
    queryFn: async ({ signal }) => {
      const shown = await client.call('settings.show', { section: 'scraping', month }, signal);
      if (shown.scraping === undefined) throw new Error('The answer has no scraping runs.');
      return { scraping: shown.scraping, days: shown.scrapingDailyBreakdown ?? [] };
    },
    // Another month takes the place of the one that is shown when it has arrived, so that nothing jumps.
    placeholderData: keepPreviousData,
  });
}

/** Returns the time of a month in the zone of the service. The current month has no end yet. */
export async function spanOf(month: Month | undefined) {
  const { days } = await queryClient.ensureQueryData(scrapingQuery(month));
  return { since: days.at(0)?.startsAt, until: month === undefined ? undefined : days.at(-1)?.endsAt };
}

/** Selects the errors of a run, or those of a month. */
export type ErrorFilter = { readonly run_id: string } | { readonly month: Month | undefined };

/** The errors of a filter with their issues, newest first, page by page. */
export function errorsQuery(filter: ErrorFilter) {
  return infiniteQueryOptions({
    queryKey: [...errors, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const part = 'run_id' in filter ? filter : await spanOf(filter.month);
      const input = { ...part, limit: errorPageSize, cursor: pageParam };
      const page = await client.call('scrapingRuns.errors', input, signal);
      return { errors: await withIssues(page.errors, signal), nextCursor: page.nextCursor };
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

async function withIssues(
  given: readonly ScrapingError[],
  signal: AbortSignal,
): Promise<readonly LinkedError[]> {
  if (given.length === 0) return [];
  const scraping_error_id = given.map(({ id }) => id).join(',');
  const { links } = await client.call('links.list', { scraping_error_id }, signal);
  const byError = Map.groupBy(links, (link) => link.scraping_error_id);
  return given.map((error) => ({ ...error, issues: byError.get(error.id) ?? [] }));
}

receivers.add(({ type }) => {
  // The days depend on the time zone, which is a setting.
  if (/^(scraping_run|settings?)\./.test(type)) reloadSoon(summary);
  if (/^(scraping_run|links?|issues?)\./.test(type)) reloadSoon(errors);
});
