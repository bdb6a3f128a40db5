import { Link } from '@tanstack/react-router';
import { formatCount, formatPercent } from '../parts/numbers.ts';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import { formatDuration } from '../parts/time/durations.ts';
import type { Scraping } from './scraping-queries.ts';

type Source = Scraping['bySource'][number] & { readonly id: string };

const columns: readonly ShortColumn<Source>[] = [
  {
    title: 'Source',
    phone: 'title',
    cell: ({ source }) => (
      <Link to="." search={(search) => ({ ...search, view: 'runs', source })}>
        {source}
      </Link>
    ),
  },
  {
    title: 'Success rate',
    phone: 'start',
    width: '112px',
    isNumber: true,
    cell: ({ successRate }) =>
      successRate !== null && (
        <>
          {formatPercent(successRate)}
          <span data-unit> succeeded</span>
        </>
      ),
  },
  { title: 'Runs', phone: 'hidden', width: '88px', isNumber: true, cell: ({ runs }) => formatCount(runs) },
  {
    title: 'Failed',
    phone: 'hidden',
    width: '88px',
    isNumber: true,
    cell: ({ failedRuns }) => formatCount(failedRuns),
  },
  {
    title: 'Items',
    phone: 'hidden',
    width: '104px',
    isNumber: true,
    cell: ({ itemsScraped }) => formatCount(itemsScraped),
  },
  {
    title: 'Average duration',
    phone: 'hidden',
    width: '136px',
    isNumber: true,
    cell: ({ avgDurationMs }) => avgDurationMs !== null && formatDuration(avgDurationMs),
  },
  timeColumn({
    title: 'Last run',
    phone: 'end',
    width: '136px',
    isNumber: true,
    at: ({ lastRunAt }) => lastRunAt,
  }),
];

interface ScrapingSourcesProps {
  /** Undefined while they are loaded. */
  readonly sources: Scraping['bySource'] | undefined;
}

/** The runs of each source in a month. */
export function ScrapingSources({ sources }: ScrapingSourcesProps) {
  return (
    <ShortTable
      label="Sources"
      columns={columns}
      rows={sources?.map((source) => ({ ...source, id: source.source }))}
      nameOf={({ source }) => source}
    />
  );
}
