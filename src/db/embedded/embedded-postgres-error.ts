import { ExpectedError } from '../../shared/errors.ts';

/** The embedded Postgres cannot be used. The message says what happened and what to do. */
export class EmbeddedPostgresError extends ExpectedError {
  override readonly name = 'EmbeddedPostgresError';
}

/** What to do if the password of the cluster is lost. */
export const restorePasswordAdvice =
  'Restore the file password next to its data directory, or set BACKOFFICE_DATA to another directory.';
