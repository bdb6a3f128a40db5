import { scrapingRuns as noun } from '../../../src/contract/fields/scraping-runs.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import { formatDuration } from '../parts/numbers.ts';
import { spanOf } from './scraping-queries.ts';

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
    { field: 'pages_succeeded', width: '72px' },
    { field: 'items_scraped', width: '72px' },
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

/** Where a run is shown, beside the list. */
export const runAddress = ({ id }: Run) => ({ run: id });
