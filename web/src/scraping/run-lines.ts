import { client } from '../app/data/client.ts';
import type { CsvLine } from '../parts/files/csv.ts';
import type { RunFilter } from './scraping-queries.ts';

const titles = [
  'Run',
  'Source',
  'Status',
  'Started',
  'Ended',
  'Pages',
  'Failed pages',
  'Blocked pages',
  'Items',
  'Errors',
];

/** Returns the lines of a spreadsheet of all runs of a filter, also of those that are not loaded. */
export async function runLines(filter: RunFilter): Promise<readonly CsvLine[]> {
  const { runs } = await client.call('scrapingRuns.list', filter);
  return [
    titles,
    ...runs.map((run) => [
      run.run_id,
      run.source,
      run.status,
      run.started_at,
      run.finished_at ?? '',
      run.pages_succeeded,
      run.pages_failed,
      run.pages_blocked,
      run.items_scraped,
      run.errors,
    ]),
  ];
}
