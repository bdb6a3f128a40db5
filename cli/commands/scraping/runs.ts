import { Command } from 'commander';
import { scrapingRunSorts } from '../../../src/contract/sorts.ts';
import { runStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { someWords } from '../../input/words.ts';
import { paintStatus } from '../../output/colours.ts';
import { type ListOptions, type Rows, showList, withListOptions } from '../../output/list.ts';
import { grouped } from '../../output/number.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';

type Run = Rows['scrapingRuns.list'];

const columns: readonly Column<Run>[] = [
  { heading: 'run', value: ({ run_id }) => run_id, cut: true },
  { heading: 'source', value: ({ source }) => source, cut: true },
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  { heading: 'pages', value: ({ pages_succeeded }) => grouped(pages_succeeded), align: 'right', dropAs: 2 },
  { heading: 'failed', value: ({ pages_failed }) => grouped(pages_failed), align: 'right', dropAs: 4 },
  { heading: 'blocked', value: ({ pages_blocked }) => grouped(pages_blocked), align: 'right', dropAs: 5 },
  { heading: 'items', value: ({ items_scraped }) => grouped(items_scraped), align: 'right', dropAs: 3 },
  { heading: 'errors', value: ({ errors }) => grouped(errors), align: 'right' },
  { heading: 'started', value: ({ started_at }) => ago(started_at), dropAs: 1 },
];

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
  return runs(
    withListOptions(command, {
      sorts: scrapingRunSorts,
      search: 'only if the ID or source contains these words',
      since: 'only started at or after this time: 2026-01-31, or 7d for the last seven days',
      until: 'only started before this time',
    }),
    'scrapingRuns.list',
  ).action(async (options: RunOptions) => {
    await withAccess(command, (access) => showList(access, 'scrapingRuns.list', options, columns));
  });
}
