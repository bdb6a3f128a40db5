import { formatCount } from '../parts/numbers.ts';
import type { Column } from '../parts/table/data-grid.tsx';
import { formatDuration } from '../parts/time/durations.ts';
import { Moment } from '../parts/time/moment.tsx';
import { RunStatusMark } from './run-status.tsx';
import type { ScrapingRun } from './scraping-queries.ts';

/** A run as a row of the table. */
export type RunRow = ScrapingRun & { readonly id: string };

/** A column of counts. */
const counts = (title: string, of: (run: RunRow) => number): Column<RunRow> => ({
  title,
  width: '72px',
  phone: 'hidden',
  isNumber: true,
  cell: (run) => formatCount(of(run)),
});

/** The columns of the runs. */
export const runColumns: readonly Column<RunRow>[] = [
  { title: 'Started', width: '144px', phone: 'end', cell: ({ started_at }) => <Moment at={started_at} /> },
  { title: 'Source', width: 'minmax(140px, 1fr)', phone: 'title', cell: ({ source }) => source },
  {
    title: 'Run',
    width: 'minmax(140px, 1fr)',
    phone: 'hidden',
    from: 'medium',
    cell: ({ run_id }) => run_id,
  },
  {
    title: 'Status',
    width: '110px',
    phone: 'start',
    cell: ({ status }) => <RunStatusMark status={status} />,
  },
  {
    title: 'Duration',
    width: '104px',
    phone: 'hidden',
    from: 'medium',
    isNumber: true,
    cell: (run) => durationOf(run),
  },
  counts('Pages', ({ pages_succeeded }) => pages_succeeded),
  counts('Items', ({ items_scraped }) => items_scraped),
  counts('Errors', ({ errors }) => errors),
];

/** Returns how long a run took, or nothing if its end is not known. */
export function durationOf({ started_at, finished_at }: ScrapingRun): string {
  return finished_at === null ? '' : formatDuration(Date.parse(finished_at) - Date.parse(started_at));
}
