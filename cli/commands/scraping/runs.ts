import { Command } from 'commander';
import { scrapingRunSorts } from '../../../src/contract/fields/sorts.ts';
import { runStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import type { Rows } from '../../access/pages.ts';
import { withAccess } from '../../access/with-access.ts';
import { someWords } from '../../input/words.ts';
import { paintStatus } from '../../output/colours.ts';
import { type ListOptions, pagedList, showList, withListOptions } from '../../output/list.ts';
import { numberColumn, timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

type Run = Rows['scrapingRuns.list'];

const columns: readonly Column<Run>[] = [
  { heading: 'run', field: 'run_id', value: ({ run_id }) => run_id, cut: true },
  { heading: 'source', value: ({ source }) => source, cut: true },
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  numberColumn('pages', 'pages_succeeded', { dropAs: 2 }),
  numberColumn('failed', 'pages_failed', { dropAs: 4 }),
  numberColumn('blocked', 'pages_blocked', { dropAs: 5 }),
  numberColumn('items', 'items_scraped', { dropAs: 3 }),
  numberColumn('errors', 'errors'),
  timeColumn('started', 'started_at', { dropAs: 1 }),
];

const list = pagedList('scrapingRuns.list', 'runs', 'run_id');

interface RunOptions extends ListOptions {
  readonly source?: string;
  readonly status?: string;
}

/** `backoffice scraping runs`: the runs and their results. */
export function listScrapingRunsCommand(): Command {
  const command = new Command('runs')
    .description('list runs, most recently started first')
    .option('--source <source>', 'only from this source')
    .addOption(someWords('--status <status>', 'only with this status, or several: a,b', runStatuses))
    .addHelpText(
      'after',
      `
Examples:
  backoffice scraping runs --status failed --since 7d
  backoffice scraping runs --source shop.example.org --csv`,
    );
  withListOptions(command, {
    sorts: scrapingRunSorts,
    search: 'only if the ID or source contains these words',
    since: 'only started at or after this time: 2026-01-31, yesterday, or 7d',
    until: 'only started before this time',
  });
  withTable(command, list, {
    page: 'scraping',
    takes: [...['source', 'status'], ['search', 'q']],
    search: () => ({ view: 'runs' }),
  });
  return runs(command, 'scrapingRuns.list').action(async (options: RunOptions) => {
    await withAccess(command, (access) => showList(access, list, options, columns));
  });
}
