import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';

type ScrapingError = NonNullable<OutputOf<'settings.show'>['scrapingErrors']>[number];

/** An error, where that was asked for with the issues that it is linked to. */
interface ShownError extends ScrapingError {
  readonly issueIds?: readonly number[];
}

/** `backoffice scraping errors`: what went wrong lately, and which issues look after it. */
export function scrapingErrorsCommand(): Command {
  const command = new Command('errors').description(
    'list the latest errors of the runs, and the issues that they are linked to',
  );
  return runs(withFormats(command), 'settings.show').action(async (format: Format) => {
    const scrapingErrors = await withAccess(command, withIssues);
    await emit({ scrapingErrors }, format, 'scrapingErrors', async () => {
      if (scrapingErrors.length === 0) return remark('There are no scraping errors.');
      await tableOfErrors(scrapingErrors);
    });
  });
}

async function withIssues(access: Access): Promise<ShownError[]> {
  const { scrapingErrors = [] } = await access.call('settings.show', { section: 'scraping' });
  if (scrapingErrors.length === 0) return [];
  const ids = scrapingErrors.map(({ id }) => id).join(',');
  const { links } = await access.call('links.list', { scraping_error_id: ids });
  return scrapingErrors.map((error) => ({
    ...error,
    issueIds: links
      .filter(({ scraping_error_id }) => scraping_error_id === error.id)
      .map(({ issue_id }) => issue_id),
  }));
}

/** Errors as a table, with their numbers where they are shown with issues: what links are made with. */
export async function tableOfErrors(errors: readonly ShownError[]): Promise<void> {
  const hasIssues = errors.some(({ issueIds }) => issueIds !== undefined);
  await emitTable<ShownError>(
    [
      ...(hasIssues
        ? [{ heading: 'id', value: ({ id }: ShownError) => String(id), align: 'right' as const }]
        : []),
      { heading: 'when', value: ({ occurredAt }) => ago(occurredAt) },
      { heading: 'source', value: ({ source }) => source, cut: true, dropAs: 1 },
      {
        heading: 'code',
        value: ({ code, httpStatus }) => `${code}${httpStatus === null ? '' : ` ${httpStatus}`}`,
      },
      { heading: 'message', value: ({ message }) => message, cut: true },
      { heading: 'url', value: ({ url }) => url, cut: true, dropAs: 2 },
      ...(hasIssues
        ? [{ heading: 'issues', value: ({ issueIds = [] }: ShownError) => issueIds.join(', ') }]
        : []),
    ],
    errors,
  );
}
