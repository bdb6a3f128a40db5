/** The command was given in a way that it cannot take; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for is not there; exit code 3. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The server or database that the command needs cannot be had; exit code 4. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}

/** The command ran and says no, such as a check that found differences; exit code 1. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
}
