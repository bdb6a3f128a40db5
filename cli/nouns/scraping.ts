import { scrapingRuns } from '../../src/contract/fields/scraping-runs.ts';
import type { InputOf, OutputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { readPages, withIssues } from '../access/pages.ts';
import { emitTable, emitWithTable } from '../output/emit.ts';
import { defaultRows, listIn } from '../output/formats.ts';
import type { Column } from '../terminal/columns.ts';
import { print } from '../terminal/terminal.ts';
import { counted, grouped } from '../terminal/text.ts';
import { paint } from '../terminal/tones.ts';
import { errorColumns, type ScrapingError, sourceColumns } from '../terminal/usage-columns.ts';
import { emitDone } from '../verb/change.ts';
import { pages, table } from '../verb/list.ts';
import { number, text } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';
import { ingested, month, namedMonth, readAnalytics } from './analytics.ts';

type Shown = OutputOf<'settings.show'>;

/** An error with the issues linked to it. */
interface LinkedError extends ScrapingError {
  readonly issueIds: readonly number[];
}

/** The numbers of the errors are there because `issues link` takes them. */
const linkedColumns: readonly Column<LinkedError>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  ...errorColumns,
  { heading: 'issues', field: 'issueIds', value: ({ issueIds }) => issueIds.join(', ') },
];

const errorsOfRuns = listIn('scrapingRuns.errors', 'errors');
const errorList = {
  name: 'scrapingErrors',
  id: 'id',
  fields: async () => [...(await errorsOfRuns.fields()), 'issueIds'],
};

/** How many errors people see by default. */
const defaultErrors = 20;
const pageSize = 1_000;

/** The website's scraper: its runs and their errors. */
export const scraping = verbs('backoffice scraping show', {
  show: calling('settings.show', {
    about: "show this month's runs by source, and the latest errors",
    params: { month },
    output: { csv: 'print CSV with a row for each source of the month' },
    fields: () => ['scraping', 'scrapingErrors'],
    web: {
      page: 'scraping',
      takes: ['month'],
      resolve: (_option, value, access) => namedMonth(access, 'scraping', value),
    },
    examples: ['backoffice scraping show --month last --csv > sources.csv'],
    async run({ given, format, access }) {
      const shown = await readAnalytics(access, 'scraping', given.month);
      const { scraping, scrapingErrors } = shown;
      const { month, bySource } = scraping ?? { bySource: [] };
      // In several files, the months can be told apart.
      const sources = {
        rows: bySource.map((source) => ({ month, ...source })),
        id: 'source',
        async fields() {
          const { scrapingSchema } = await import('../../src/contract/schemas/analytics.ts');
          return ['month', ...Object.keys(scrapingSchema.shape.bySource.element.shape)];
        },
      };
      await emitWithTable({ scraping, scrapingErrors }, format, sources, () => printMonth(shown));
    },
  }),

  runs: pages('scrapingRuns.list', 'runs', {
    about: 'list runs, most recently started first',
    of: scrapingRuns,
    key: 'run_id',
    params: { source: text('only from this source', 'source') },
    input: async ({ source }) => ({ source }),
    search: 'only if the ID or source contains these words',
    columns: [
      ...(['run_id', 'source', 'status', ['pages_succeeded', 2], ['pages_failed', 4]] as const),
      ...([['pages_blocked', 5], ['items_scraped', 3], 'errors', ['started_at', 1]] as const),
    ],
    web: {
      page: 'scraping',
      takes: ['source', 'status', ['search', 'q']],
      search: () => ({ view: 'runs' }),
    },
    examples: [
      'backoffice scraping runs --status failed --since 7d',
      'backoffice scraping runs --source shop.example.org --csv',
    ],
  }),

  errors: table(['scrapingRuns.errors', 'links.list'], {
    about: 'list the latest errors of runs, with the issues linked to them',
    params: {
      run: text('only errors of this run', 'id'),
      source: text('only errors of runs of this source', 'source'),
      limit: number('maximum number of errors; 0 for all', 0),
    },
    rows: errorList,
    columns: linkedColumns,
    web: { page: 'scraping', takes: ['source'], search: () => ({ view: 'errors' }) },
    examples: ['backoffice scraping errors --json id,message,issueIds'],
    async read({ given: { run: run_id, source, limit }, format, access }) {
      const wanted = limit ?? defaultRows(format, defaultErrors);
      const { errors, total } = await readErrors(access, { run_id, source }, wanted);
      const shown = counted(errors.length, 'error');
      const which = total === undefined ? shown : `${grouped(errors.length)} of ${counted(total, 'error')}`;
      return {
        document: { scrapingErrors: errors },
        none: 'No scraping errors.',
        below:
          total === errors.length ? undefined : `Showing the newest ${which}. Use --limit 0 to show all.`,
      };
    },
  }),

  ingest: calling('scrapingRuns.record', {
    about: 'record scraping runs and their errors, one run as a JSON object per line',
    params: ingested,
    notes:
      'A run may be sent again with its progress until it has ended. Known errors are skipped. The command stops at the\n' +
      'first invalid line, after recording the lines before it.',
    examples: [
      `echo '{"run_id":"r1","source":"shop.example.org","status":"running"}' | backoffice scraping ingest`,
      'backoffice scraping ingest runs.jsonl',
    ],
    async run({ given: { file = '-' }, format, access }) {
      const { ingest } = await import('../input/ingest.ts');
      const { maxRuns: maxItemsPerRequest, scrapingRunSchema: schema } = await import(
        '../../src/contract/operations/scraping-runs.ts'
      );
      const none = { recorded: 0, updated: 0, duplicates: 0, errors: 0 };
      const sent = await ingest(
        {
          file,
          schema,
          maxItemsPerRequest,
          name: 'runs',
          send: (runs): Promise<typeof none> => access.call('scrapingRuns.record', { runs: [...runs] }),
        },
        none,
      );
      const recorded = `Recorded ${counted(sent.recorded, 'run')} and ${counted(sent.errors, 'error')}.`;
      const known = `Updated ${counted(sent.updated, 'run')}. Skipped ${counted(sent.duplicates, 'duplicate')}.`;
      await emitDone({ success: true, ...sent }, format, `${recorded} ${known}`);
    },
  }),
});

/**
 * Reads the newest errors and their issues.
 *
 * @param limit - how many errors; 0 for all
 */
async function readErrors(access: Access, filter: InputOf<'scrapingRuns.errors'>, limit: number) {
  const { pages, nextCursor } = await readPages(limit, undefined, async (size, cursor) => {
    const page = await access.call('scrapingRuns.errors', { ...filter, limit: size, cursor });
    return { rows: await withIssues(access, page.errors), nextCursor: page.nextCursor };
  });
  const errors = pages.flat().map(
    ({ issues, ...error }): LinkedError => ({
      ...error,
      issueIds: issues.map(({ issue_id }) => issue_id),
    }),
  );
  return { errors, total: nextCursor === null ? errors.length : await countErrors(access, filter) };
}

/** Counts the errors of runs; returns undefined if there are more runs than one page has. */
async function countErrors(
  access: Access,
  { run_id, source }: InputOf<'scrapingRuns.errors'>,
): Promise<number | undefined> {
  const { runs, nextCursor } = await access.call('scrapingRuns.list', { run_id, source, limit: pageSize });
  return nextCursor === null ? runs.reduce((sum, { errors }) => sum + errors, 0) : undefined;
}

async function printMonth({ scraping, scrapingErrors = [] }: Shown): Promise<void> {
  if (scraping === undefined) return;
  const { scrapingLines } = await import('../terminal/usage.ts');
  const { month, timezone, bySource } = scraping;
  const title = paint('bold');
  print([title(`${month} (${timezone})`), ...scrapingLines(scraping, Infinity)].join('\n'));
  if (bySource.length > 0) {
    print('');
    await emitTable(sourceColumns, bySource);
  }
  if (scrapingErrors.length > 0) {
    print(`\n${title('Latest errors')}`);
    await emitTable(errorColumns, scrapingErrors);
  }
}
