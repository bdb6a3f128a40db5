import { scrapingRuns as noun } from '../../../src/contract/fields/scraping-runs.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import { formatDuration } from '../parts/time/durations.ts';
import { spanOf } from './scraping-queries.ts';

/** A run; its sender has given it the id. */
export type Run = OutputOf<'scrapingRuns.list'>['runs'][number] & { readonly id: string };

type RunFilter = FilterOf<typeof noun> & { readonly month?: string | undefined };

/** Ids may be long, and they are in the address of the request. */
const idsOfRequest = 50;

export const runs = resource<Run, RunFilter>({
  noun,
  newest: 'started_at',
  columns: [
    { field: 'started_at', phone: 'end', width: '136px' },
    { field: 'source', phone: 'title', width: 'minmax(140px, 1fr)' },
    { field: 'run_id', from: 'medium', width: 'minmax(140px, 1fr)' },
    { field: 'status', phone: 'start' },
    { field: 'duration', title: 'Duration', from: 'medium', width: '104px', cell: durationOf },
    { field: 'pages_succeeded', width: '72px' },
    { field: 'items_scraped', width: '72px' },
    { field: 'errors', width: '72px' },
  ],
  async read({ month, ...filter }, { id, ...part }, signal) {
    if (id === undefined) {
      const input = { ...(await spanOf(month)), ...filter, ...part };
      const page = await client.call('scrapingRuns.list', input, signal);
      return { rows: page.runs.map(withId), next: page.nextCursor ?? undefined, total: page.total };
    }
    const ids = id.split(',');
    const parts = Array.from({ length: Math.ceil(ids.length / idsOfRequest) }, (_part, index) =>
      ids.slice(index * idsOfRequest, (index + 1) * idsOfRequest).join(','),
    );
    const pages = await Promise.all(
      parts.map((run_id) => client.call('scrapingRuns.list', { run_id }, signal)),
    );
    return { rows: pages.flatMap((page) => page.runs.map(withId)) };
  },
});

const withId = (run: Omit<Run, 'id'>): Run => ({ ...run, id: run.run_id });

/** Returns how long a run took, or a dash if its end is not known. */
export function durationOf({ started_at, finished_at }: Run): string {
  return finished_at === null ? '—' : formatDuration(Date.parse(finished_at) - Date.parse(started_at));
}
