/** The embedded Postgres cannot do its work; the message is one sentence that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** What to do where the password of the cluster is lost. */
export const restorePasswordAdvice =
  'restore the file password beside its data folder, or set BACKOFFICE_DATA to another folder.';

/** The code of a system error (`ENOENT`, `EACCES`, …) or of a Postgres error (SQLSTATE), if it has one. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
