import type { OutputOf } from '../../../src/contract/registry.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';

export type ScrapingError = NonNullable<OutputOf<'settings.show'>['scrapingErrors']>[number];

/** An error, optionally with the issues linked to it. */
export interface ShownError extends ScrapingError {
  readonly issueIds?: readonly number[];
}

/**
 * Returns the columns of a table of errors.
 *
 * @param hasIssues - whether it includes the issues of the errors, and the numbers of the errors, which `issues link` takes
 */
export function errorColumns(hasIssues: boolean): readonly Column<ShownError>[] {
  const id: Column<ShownError> = { heading: 'id', value: (error) => String(error.id), align: 'right' };
  const issues: Column<ShownError> = {
    heading: 'issues',
    field: 'issueIds',
    value: ({ issueIds = [] }) => issueIds.join(', '),
  };
  return [
    ...(hasIssues ? [id] : []),
    timeColumn('when', 'occurredAt'),
    { heading: 'source', value: ({ source }) => source, cut: true, dropAs: 1 },
    {
      heading: 'code',
      value: ({ code, httpStatus }) => `${code}${httpStatus === null ? '' : ` ${httpStatus}`}`,
    },
    { heading: 'message', value: ({ message }) => message, cut: true },
    { heading: 'url', value: ({ url }) => url, cut: true, dropAs: 2 },
    ...(hasIssues ? [issues] : []),
  ];
}
