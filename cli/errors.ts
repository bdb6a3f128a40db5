import { ExpectedError } from '../src/shared/errors.ts';

/** The command was used incorrectly; exit code 2. */
export class UsageError extends ExpectedError {
  override readonly name = 'UsageError';
}

/** Something does not exist; exit code 3. */
export class NotFoundError extends ExpectedError {
  override readonly name = 'NotFoundError';
}

/** The server or database is unreachable; exit code 4. */
export class NotConnectedError extends ExpectedError {
  override readonly name: string = 'NotConnectedError';
}

/** A request took longer than its time limit; exit code 4. */
export class LateError extends NotConnectedError {
  override readonly name = 'LateError';

  /** @param who - the server, or the database */
  constructor(who: string, timeoutMs: number, options?: ErrorOptions) {
    const advice = 'Check that it is running, or allow more time with --timeout.';
    super(`${who} did not answer within ${timeoutMs / 1_000} s. ${advice}`, options);
  }
}

/** A signal stopped the command before its end; exit code 128 and the number of the signal, as shells report it. */
export class StoppedError extends ExpectedError {
  override readonly name = 'StoppedError';
  readonly signal: NodeJS.Signals;

  constructor(message: string, stop: AbortSignal) {
    super(message);
    this.signal = stop.reason;
  }
}

/** The command ran and failed, such as a check that found differences; exit code 1. */
export class FailedError extends ExpectedError {
  override readonly name = 'FailedError';
}

/** The mail server should try again later; exit code 75, as that of sendmail. */
export class TryAgainError extends ExpectedError {
  override readonly name = 'TryAgainError';
}
