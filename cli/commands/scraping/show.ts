import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { monthOption, namedMonth, readAnalytics } from '../../input/month.ts';
import { paint } from '../../output/colours.ts';
import { emitTable, emitWithTable, type Format, withFormats, withTableAsCsv } from '../../output/emit.ts';
import { grouped, inSeconds, percent } from '../../output/number.ts';
import { stillRunning } from '../../output/running.ts';
import { ago } from '../../output/time.ts';
import { withWebPage } from '../../shown/present.ts';
import { print } from '../../terminal.ts';
import { errorColumns } from './error-table.ts';

type Shown = OutputOf<'settings.show'>;

type Source = NonNullable<Shown['scraping']>['bySource'][number];

interface ShowOptions extends Format {
  readonly month?: string;
}

/** `backoffice scraping show`. */
export function showScrapingCommand(): Command {
  const command = new Command('show')
    .description("show this month's runs by source, and the latest errors")
    .addOption(monthOption());
  withWebPage(
    withTableAsCsv(
      withFormats(command, () => ['scraping', 'scrapingErrors']),
      'a row for each source of the month',
    ),
    {
      page: 'scraping',
      takes: ['month'],
    },
  );
  return runs(command, 'settings.show').action(async ({ month, ...format }: ShowOptions) => {
    const shown = await withAccess(command, (access) => readAnalytics(access, 'scraping', month));
    const { scraping, scrapingErrors } = shown;
    await emitWithTable({ scraping, scrapingErrors }, format, sourceTable(scraping), () => drawMonth(shown));
  });
}

/** Returns the sources as a table, in which the months of several files can be told apart. */
function sourceTable(scraping: Shown['scraping']) {
  const { month, bySource } = scraping ?? { bySource: [] };
  return {
    rows: bySource.map((source) => ({ month, ...source })),
    id: 'source',
    async fields() {
      const { scrapingSchema } = await import('../../../src/contract/schemas/analytics.ts');
      return ['month', ...Object.keys(scrapingSchema.shape.bySource.element.shape)];
    },
  };
}

/** Formats a figure; an empty text if there is none. */
const orEmpty = (figure: number | null, format: (figure: number) => string) =>
  figure === null ? '' : format(figure);

async function drawMonth({ scraping, scrapingErrors = [] }: Shown): Promise<void> {
  if (scraping === undefined) return;
  const title = paint('bold');
  print(title(`${scraping.month} (${scraping.timezone})`));
  print(
    `  runs   ${grouped(scraping.runs)}: ${scraping.succeededRuns} succeeded, ${scraping.failedRuns} failed, ${scraping.cancelledRuns} cancelled${stillRunning(scraping)}`,
  );
  print(
    `  pages  ${grouped(scraping.pagesSucceeded)} succeeded, ${grouped(scraping.pagesFailed)} failed, ${grouped(scraping.pagesBlocked)} blocked`,
  );
  print(`  items  ${grouped(scraping.itemsScraped)}`);
  if (scraping.bySource.length > 0) {
    print('');
    await emitTable<Source>(
      [
        { heading: 'source', value: ({ source }) => source, cut: true },
        { heading: 'runs', value: ({ runs: count }) => grouped(count), align: 'right' },
        { heading: 'success', value: ({ successRate }) => orEmpty(successRate, percent), align: 'right' },
        { heading: 'items', value: ({ itemsScraped }) => grouped(itemsScraped), align: 'right', dropAs: 1 },
        {
          heading: 'average',
          value: ({ avgDurationMs }) => orEmpty(avgDurationMs, inSeconds),
          align: 'right',
          dropAs: 2,
        },
        { heading: 'last run', value: ({ lastRunAt }) => ago(lastRunAt) },
      ],
      scraping.bySource,
    );
  }
  if (scrapingErrors.length > 0) {
    print(`\n${title('Latest errors')}`);
    await emitTable(errorColumns(false), scrapingErrors);
  }
}
