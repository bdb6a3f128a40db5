import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice scraping ingest`. */
export function ingestScrapingRunsCommand(): Command {
  const command = new Command('ingest')
    .description('record scraping runs and their errors, one run as a JSON object per line')
    .argument('[file]', 'a file of JSON lines, or - for standard input', '-')
    .addHelpText(
      'after',
      `
A run may be sent again with its progress until it has ended. Known errors are skipped. The command stops at the
first invalid line, after recording the lines before it.

Example:
  echo '{"run_id":"r1","source":"shop.example.org","status":"running"}' | backoffice scraping ingest
  backoffice scraping ingest runs.jsonl`,
    );
  return runs(withFormats(command), 'scrapingRuns.record').action(async (file: string, format: Format) => {
    const { ingest: send } = await import('../../input/ingest.ts');
    const { maxRuns, scrapingRunSchema } = await import('../../../src/contract/operations/scraping-runs.ts');
    await withAccess(command, async (access) => {
      const counts = await send(
        {
          ...{ file, schema: scrapingRunSchema, maxItemsPerRequest: maxRuns },
          name: 'runs',
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
          `Recorded ${counted(recorded, 'run')} and ${counted(errors, 'error')}. Updated ${counted(updated, 'run')}. ` +
            `Skipped ${counted(duplicates, 'duplicate')}.`,
        );
      });
    });
  });
}
