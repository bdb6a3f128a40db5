import { Command } from 'commander';
import type { OutputOf } from '../../src/contract/index.ts';
import { withAccess } from '../access/access.ts';
import { runs } from '../access/operations.ts';
import { paint } from '../output/colours.ts';
import { emit, emitTable, type Format, withFormats } from '../output/emit.ts';
import { ago } from '../output/time.ts';
import { print } from '../terminal.ts';

type Shown = OutputOf<'settings.show'>;
type Source = NonNullable<Shown['scraping']>['bySource'][number];
type ScrapingError = NonNullable<Shown['scrapingErrors']>[number];

/** `backoffice scraping`: how the scraping runs go. */
export function scrapingCommand(): Command {
  const command = new Command('scraping').description('see how the scraping runs go');
  command.addCommand(show());
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

const number = (value: number) => value.toLocaleString('en');
const percent = (ratio: number | null) => (ratio === null ? '' : `${(ratio * 100).toFixed(1)} %`);
const seconds = (milliseconds: number | null) =>
  milliseconds === null ? '' : `${(milliseconds / 1000).toFixed(1)} s`;

async function draw({ scraping, scrapingErrors = [] }: Shown): Promise<void> {
  if (scraping === undefined) return;
  const title = paint('bold');
  print(title(`${scraping.month} (${scraping.timezone})`));
  print(
    `  runs   ${number(scraping.runs)}: ${scraping.succeededRuns} succeeded, ${scraping.failedRuns} failed, ${scraping.cancelledRuns} cancelled`,
  );
  print(
    `  pages  ${number(scraping.pagesSucceeded)} succeeded, ${number(scraping.pagesFailed)} failed, ${number(scraping.pagesBlocked)} blocked`,
  );
  print(`  items  ${number(scraping.itemsScraped)}`);
  if (scraping.bySource.length > 0) {
    print('');
    await emitTable<Source>(
      [
        { heading: 'source', value: ({ source }) => source, cut: true },
        { heading: 'runs', value: ({ runs: count }) => number(count), align: 'right' },
        { heading: 'success', value: ({ successRate }) => percent(successRate), align: 'right' },
        { heading: 'items', value: ({ itemsScraped }) => number(itemsScraped), align: 'right', dropAs: 1 },
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
    await emitTable<ScrapingError>(
      [
        { heading: 'when', value: ({ occurredAt }) => ago(occurredAt) },
        { heading: 'source', value: ({ source }) => source, dropAs: 1 },
        {
          heading: 'code',
          value: ({ code, httpStatus }) => `${code}${httpStatus === null ? '' : ` ${httpStatus}`}`,
        },
        { heading: 'message', value: ({ message }) => message, cut: true },
        { heading: 'url', value: ({ url }) => url, cut: true, dropAs: 2 },
      ],
      scrapingErrors,
    );
  }
}
