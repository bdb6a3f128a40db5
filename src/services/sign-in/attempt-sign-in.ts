import { BackofficeError } from '../../contract/errors.ts';
import type { Database } from '../../db/connection/pool.ts';
import { selectCredentials } from '../../db/tables/accounts/passwords.ts';
import type { Log } from '../call/log.ts';
import type { Observer } from '../call/observer.ts';
import type { AttemptOptions, SignInLimits } from './attempt-limits.ts';

interface SignInContext {
  readonly db: Database;
  readonly signInLimits: SignInLimits;
  readonly address: string;
  readonly observer: Observer;
  readonly log: Log;
}

/**
 * Attempts to sign in, as `SignInLimits` says. Logs an attempt that the limits refuse, with the account's id. Not with the
 * e-mail: the caller may have typed a password there.
 */
export async function attemptSignIn<T>(
  { db, signInLimits, address, observer, log }: SignInContext,
  operation: string,
  email: string,
  verify: () => Promise<T | null>,
  options?: AttemptOptions<T>,
): Promise<T | null> {
  try {
    return await signInLimits.attempt(email, address, verify, options);
  } catch (error) {
    if (error instanceof BackofficeError && error.code === 'rate_limited') {
      observer.onSignIn('limited');
      const account = await selectCredentials(db, email).catch(() => null);
      const { retryAfter } = error;
      log.warn(
        { operation, address, adminId: account?.id ?? null, retryAfter },
        'too many attempts to sign in',
      );
    }
    throw error;
  }
}
