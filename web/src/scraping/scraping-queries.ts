import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { reloadSoon } from '../app/data/reload.ts';
import type { Month } from '../parts/time/months.ts';

type Shown = OutputOf<'settings.show'>;

export type Scraping = NonNullable<Shown['scraping']>;
export type ScrapingDay = NonNullable<Shown['scrapingDailyBreakdown']>[number];
type ScrapingError = OutputOf<'scrapingRuns.errors'>['errors'][number];
export type ScrapingRun = OutputOf<'scrapingRuns.list'>['runs'][number];
type IssueLink = OutputOf<'links.list'>['links'][number];

/** An error with the issues that were reported from it. */
export type LinkedError = ScrapingError & { readonly issues: readonly IssueLink[] };

const runPageSize = 200;
/** Their ids are in the address of the request for their issues. */
const errorPageSize = 100;
const summary = ['scraping', 'summary'] as const;
const runs = ['scraping', 'runs'] as const;
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

/** Selects runs that started in a span of time. */
export interface RunFilter {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly source?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** The runs of a filter, latest start first, page by page. They are not loaded again by themselves, so that nothing jumps. */
export function runsQuery(filter: RunFilter) {
  return infiniteQueryOptions({
    queryKey: [...runs, 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = await client.call('scrapingRuns.list', { ...filter, ...pageOf(pageParam) }, signal);
      if (pageParam === undefined) queryClient.setQueryData(latestRunsQuery(filter).queryKey, page);
      return page;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const pageOf = (cursor: string | undefined) => ({ limit: runPageSize, cursor, count: '1' }) as const;

/**
 * The first page of the same list, as it is now: runs change while they are new. It is laid over the list, and tells how many
 * have come since. The list brings it along.
 */
export function latestRunsQuery(filter: RunFilter) {
  return queryOptions({
    queryKey: [...runs, 'latest', filter],
    queryFn: ({ signal }) => client.call('scrapingRuns.list', { ...filter, ...pageOf(undefined) }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** One run; null if there is none with that id. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: [...runs, 'one', id],
    queryFn: async ({ signal }) => {
      const page = await client.call('scrapingRuns.list', { run_id: id, limit: 1 }, signal);
      return page.runs[0] ?? null;
    },
  });
}

/** Selects the errors of a run, or those of all runs in a span of time. */
export type ErrorFilter = { readonly run_id: string } | Pick<RunFilter, 'since' | 'until' | 'source'>;

/** The errors of a filter with their issues, newest first, page by page. */
export function errorsQuery(filter: ErrorFilter) {
  return infiniteQueryOptions({
    queryKey: [...errors, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const input = { ...filter, limit: errorPageSize, cursor: pageParam };
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

/** Loads the runs of a filter again, with the new ones. */
export function reloadRuns(): void {
  void queryClient.resetQueries({ queryKey: [...runs, 'list'] });
}

/** Brings what is shown of scraping up to date. The days depend on the time zone, which is a setting. */
export function receiveScrapingEvent({ type }: EventOrGap): void {
  if (/^(scraping_run|settings?)\./.test(type))
    for (const key of [[...runs, 'latest'], [...runs, 'one'], summary]) reloadSoon(key);
  if (/^(scraping_run|links?|issues?)\./.test(type)) reloadSoon(errors);
}
