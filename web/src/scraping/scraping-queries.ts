import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { scrapingRuns as noun } from '../../../src/contract/fields/scraping-runs.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import type { Month } from '../parts/months.tsx';
import { formatDuration } from '../parts/words.ts';

type Shown = OutputOf<'settings.show'>;

export type Scraping = NonNullable<Shown['scraping']>;
export type ScrapingDay = NonNullable<Shown['scrapingDailyBreakdown']>[number];

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
async function spanOf(month: Month | undefined) {
  const { days } = await queryClient.ensureQueryData(scrapingQuery(month));
  return { since: days.at(0)?.startsAt, until: month === undefined ? undefined : days.at(-1)?.endsAt };
}

/** A run; its sender has given it the id. */
export type Run = OutputOf<'scrapingRuns.list'>['runs'][number] & { readonly id: string };

type RunFilter = FilterOf<typeof noun> & { readonly month?: string | undefined };

export const runs = resource<Run, RunFilter>({
  noun,
  newest: 'started_at',
  columns: [
    { field: 'started_at', phone: 'end', width: '136px' },
    { field: 'source', phone: 'title', width: 'minmax(140px, 1fr)' },
    { field: 'run_id', from: 'medium', width: 'minmax(140px, 1fr)' },
    { field: 'status', phone: 'start' },
    {
      field: 'duration',
      title: 'Duration',
      from: 'medium',
      isNumber: true,
      width: '104px',
      cell: durationOf,
    },
    { field: 'pages_succeeded', from: 'narrow', width: '72px' },
    { field: 'items_scraped', from: 'narrow', width: '72px' },
    { field: 'errors', width: '72px' },
  ],
  async read({ month, ...filter }, { id, ...part }, signal) {
    const input = id === undefined ? { ...filter, ...(await spanOf(month)), ...part } : { run_id: id };
    const page = await client.call('scrapingRuns.list', input, signal);
    const rows = page.runs.map((run) => ({ ...run, id: run.run_id }));
    return { rows, next: page.nextCursor ?? undefined, total: page.total };
  },
});

/** Returns how long a run took, or a dash if its end is not known. */
export function durationOf({ started_at, finished_at }: Run): string {
  return finished_at === null ? '—' : formatDuration(Date.parse(finished_at) - Date.parse(started_at));
}

/** Selects the errors of a run, or those of a month. */
export type ErrorFilter = { readonly run_id: string } | { readonly month: Month | undefined };

/** An error with the issues that were reported from it. */
export type LinkedError = Awaited<ReturnType<typeof readErrors>>['errors'][number];

/** Their ids are in the address of the request for their issues. */
const errorPageSize = 100;

async function readErrors(filter: ErrorFilter, cursor: string | undefined, signal: AbortSignal) {
  const part = 'run_id' in filter ? filter : await spanOf(filter.month);
  const input = { ...part, limit: errorPageSize, cursor };
  const { errors, nextCursor } = await client.call('scrapingRuns.errors', input, signal);
  const scraping_error_id = errors.map(({ id }) => id).join(',');
  const { links } =
    errors.length === 0 ? { links: [] } : await client.call('links.list', { scraping_error_id }, signal);
  return {
    errors: errors.map((error) => ({
      ...error,
      issues: links.filter((link) => link.scraping_error_id === error.id),
    })),
    nextCursor,
  };
}

/** The errors of a filter with their issues, newest first, page by page. */
export function errorsQuery(filter: ErrorFilter) {
  return infiniteQueryOptions({
    queryKey: [...errors, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readErrors(filter, pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

receivers.add(({ type }) => {
  // The days depend on the time zone, which is a setting.
  if (/^(scraping_run|settings?)\./.test(type)) reloadSoon(summary);
  if (/^(scraping_run|links?|issues?)\./.test(type)) reloadSoon(errors);
});
