import type { OutputOf } from '../../../src/contract/registry.ts';
import { emitTable } from '../../output/emit.ts';
import { ago } from '../../output/time.ts';

export type ScrapingError = NonNullable<OutputOf<'settings.show'>['scrapingErrors']>[number];

/** An error, optionally with the issues linked to it. */
export interface ShownError extends ScrapingError {
  readonly issueIds?: readonly number[];
}

/** Prints a table of errors. If they have issues, it includes their numbers, which `issues link` takes. */
export async function printErrorTable(errors: readonly ShownError[]): Promise<void> {
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
