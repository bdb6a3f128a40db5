import type { OutputOf } from '../../src/contract/registry.ts';
import type { Access } from './access.ts';

/** Adds the issues that scraping errors are linked with. */
export async function withIssues<ScrapingError extends { readonly id: number }>(
  access: Pick<Access, 'call'>,
  errors: readonly ScrapingError[],
): Promise<(ScrapingError & { readonly issues: OutputOf<'links.list'>['links'] })[]> {
  if (errors.length === 0) return [];
  const ids = errors.map(({ id }) => id).join(',');
  const { links } = await access.call('links.list', { scraping_error_id: ids });
  return errors.map((error) => ({
    ...error,
    issues: links.filter(({ scraping_error_id }) => scraping_error_id === error.id),
  }));
}
