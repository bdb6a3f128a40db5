import { Command } from 'commander';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitList, type Format, listIn } from '../../output/emit.ts';
import { defaultRows } from '../../output/formats.ts';
import { counted } from '../../output/number.ts';
import type { WebPage } from '../../shown/web-page.ts';
import { withTable } from '../../shown/with-table.ts';
import { remark } from '../../terminal.ts';
import { errorColumns, type ShownError } from './error-table.ts';

const defaultLimit = 20;
const pageSize = 1_000;

const webPage: WebPage = { page: 'scraping', takes: ['source'], search: () => ({ view: 'errors' }) };

interface ErrorOptions extends Format {
  readonly run?: string;
  readonly source?: string;
  readonly limit?: number;
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
    .option('--limit <number>', 'maximum number of errors; 0 for all', wholeNumber(0));
  return runs(withTable(command, list, webPage), 'scrapingRuns.errors', 'links.list').action(
    async ({ run: run_id, source, limit, ...format }: ErrorOptions) => {
      const wanted = limit ?? defaultRows(format, defaultLimit);
      const { errors, isWhole } = await withAccess(command, (access) =>
        readErrors(access, { run_id, source }, wanted),
      );
      await emitList({ scrapingErrors: errors }, format, list, errorColumns(true), {
        none: 'No scraping errors.',
        after() {
          if (!isWhole)
            remark(`Showing the newest ${counted(errors.length, 'error')}. Use --limit 0 to show all.`);
        },
      });
    },
  );
}

/** Reads the newest errors and their issues: so many, or 0 for all. */
async function readErrors(access: Access, filter: InputOf<'scrapingRuns.errors'>, limit: number) {
  const wanted = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  const errors: ShownError[] = [];
  let cursor: string | null | undefined;
  do {
    const size = Math.min(wanted - errors.length, pageSize);
    const page: OutputOf<'scrapingRuns.errors'> = await access.call('scrapingRuns.errors', {
      ...filter,
      limit: size,
      cursor: cursor ?? undefined,
    });
    errors.push(...(await withIssues(access, page.errors)));
    cursor = page.nextCursor ?? null;
  } while (cursor !== null && errors.length < wanted);
  return { errors, isWhole: cursor === null };
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
