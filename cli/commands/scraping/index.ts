import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { paint } from '../../output/colours.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { counted, grouped } from '../../output/number.ts';
import { stillRunning } from '../../output/running.ts';
import { ago } from '../../output/time.ts';
import { print } from '../../terminal.ts';
import { scrapingErrorsCommand, tableOfErrors } from './errors.ts';
import { scrapingRunsCommand } from './runs.ts';

type Shown = OutputOf<'settings.show'>;
type Source = NonNullable<Shown['scraping']>['bySource'][number];

/** `backoffice scraping`: how the scraping runs go. */
export function scrapingCommand(): Command {
  const command = new Command('scraping').description('see how the scraping runs go, and record them');
  for (const verb of [show(), scrapingRunsCommand(), scrapingErrorsCommand(), ingest()])
    command.addCommand(verb);
  return command;
}

function show(): Command {
  const command = new Command('show').description("show this month's runs, by source, and the latest errors");
  return runs(withFormats(command), 'settings.show').action(async (format: Format) => {
    const shown = await withAccess(command, (access) =>
      access.call('settings.show', { section: 'scraping' }),
    );
    const { scraping, scrapingErrors } = shown;
    await emit({ scraping, scrapingErrors }, format, undefined, () => draw(shown));
  });
}

const percent = (ratio: number | null) => (ratio === null ? '' : `${(ratio * 100).toFixed(1)} %`);
const seconds = (milliseconds: number | null) =>
  milliseconds === null ? '' : `${(milliseconds / 1000).toFixed(1)} s`;

async function draw({ scraping, scrapingErrors = [] }: Shown): Promise<void> {
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
        { heading: 'success', value: ({ successRate }) => percent(successRate), align: 'right' },
        { heading: 'items', value: ({ itemsScraped }) => grouped(itemsScraped), align: 'right', dropAs: 1 },
        {
          heading: 'average',
          value: ({ avgDurationMs }) => seconds(avgDurationMs),
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
    await tableOfErrors(scrapingErrors);
  }
}

function ingest(): Command {
  const command = new Command('ingest')
    .description('record scraping runs and their errors, one run as a JSON object per line')
    .argument('[file]', 'the file of JSON lines, or - for standard input', '-')
    .addHelpText(
      'after',
      `
A run may be sent again as it gets further, until it has ended; errors that are known count once. At a wrong line it
stops: what is before it is recorded.

Example:
  echo '{"run_id":"r1","source":"shop.example.org","status":"running"}' | backoffice scraping ingest
  backoffice scraping ingest runs.jsonl`,
    );
  return runs(withFormats(command), 'scrapingRuns.record').action(async (file: string, format: Format) => {
    const { ingest: send } = await import('../../ingest.ts');
    const { mostRuns, scrapingRunSchema } = await import('../../../src/contract/schemas/scraping-runs.ts');
    await withAccess(command, async (access) => {
      const counts = await send(
        {
          ...{ file, schema: scrapingRunSchema, mostPerRequest: mostRuns },
          send: async (given) => {
            const { success: _, ...counted } = await access.call('scrapingRuns.record', { runs: [...given] });
            return counted;
          },
        },
        { recorded: 0, updated: 0, duplicates: 0, errors: 0 },
      );
      await emitChange({ success: true, ...counts }, format, () => {
        const { recorded, updated, duplicates, errors } = counts;
        print(
          `Recorded ${counted(recorded, 'run')} and ${counted(errors, 'error')}; ${counted(updated, 'run')} got further, ` +
            `${counted(duplicates, 'was', 'were')} known already.`,
        );
      });
    });
  });
}
