/** The embedded Postgres cannot be used. The message says what happened and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** What to do if the password of the cluster is lost. */
export const restorePasswordAdvice =
  'Restore the file password next to its data directory, or set BACKOFFICE_DATA to another directory.';

/** Returns the code of a system error (`ENOENT`, `EACCES`, …) or of a Postgres error (SQLSTATE), if it has one. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
