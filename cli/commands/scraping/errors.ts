import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { remark } from '../../terminal.ts';
import { printErrorTable, type ShownError } from './error-table.ts';

/** `backoffice scraping errors`: the latest errors and their issues. */
export function listScrapingErrorsCommand(): Command {
  const command = new Command('errors').description(
    'list the latest errors of runs, with the issues linked to them',
  );
  return runs(withFormats(command), 'settings.show', 'links.list').action(async (format: Format) => {
    const scrapingErrors = await withAccess(command, withIssues);
    await emit({ scrapingErrors }, format, 'scrapingErrors', async () => {
      if (scrapingErrors.length === 0) return remark('No scraping errors.');
      await printErrorTable(scrapingErrors);
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
