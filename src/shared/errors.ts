/**
 * What the user, the network, the database or the operating system caused. The message is for the user: what happened, and
 * what to do. Any other subclass of Error is a defect of the program.
 */
export class ExpectedError extends Error {}

/** Returns the code of an error of the system (`ENOENT`) or of Postgres (SQLSTATE, `42501`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
