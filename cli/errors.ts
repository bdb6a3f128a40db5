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
  override readonly name = 'NotConnectedError';
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
