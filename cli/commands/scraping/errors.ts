import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitList, type Format, listIn } from '../../output/emit.ts';
import type { WebPage } from '../../shown/web-page.ts';
import { withTable } from '../../shown/with-table.ts';
import { errorColumns, type ShownError } from './error-table.ts';

const defaultLimit = 20;
const maxLimit = 1_000;

const webPage: WebPage = { page: 'scraping', takes: ['source'], search: () => ({ view: 'errors' }) };

interface ErrorOptions extends Format {
  readonly run?: string;
  readonly source?: string;
  readonly limit: number;
}

const errorsOfRuns = listIn('scrapingRuns.errors', 'errors');
const list = {
  name: 'scrapingErrors',
  id: 'id',
  fields: async () => [...(await errorsOfRuns.fields()), 'issueIds'],
};

/** `backoffice scraping errors`: the latest errors and their issues. */
export function listScrapingErrorsCommand(): Command {
  const command = new Command('errors')
    .description('list the latest errors of runs, with the issues linked to them')
    .option('--run <id>', 'only errors of this run')
    .option('--source <source>', 'only errors of runs of this source')
    .option('--limit <number>', 'maximum number of errors', wholeNumber(1, maxLimit), defaultLimit);
  return runs(withTable(command, list, webPage), 'scrapingRuns.errors', 'links.list').action(
    async ({ run, source, limit, ...format }: ErrorOptions) => {
      const scrapingErrors = await withAccess(command, async (access) => {
        const { errors } = await access.call('scrapingRuns.errors', { run_id: run, source, limit });
        return await withIssues(access, errors);
      });
      await emitList({ scrapingErrors }, format, list, errorColumns(true), { none: 'No scraping errors.' });
    },
  );
}

async function withIssues(access: Access, errors: readonly ShownError[]): Promise<ShownError[]> {
  if (errors.length === 0) return [];
  const ids = errors.map(({ id }) => id).join(',');
  const { links } = await access.call('links.list', { scraping_error_id: ids });
  return errors.map((error) => ({
    ...error,
    issueIds: links
      .filter(({ scraping_error_id }) => scraping_error_id === error.id)
      .map(({ issue_id }) => issue_id),
  }));
}
