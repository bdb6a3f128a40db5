import type { Log } from '../call/log.ts';
import type { Observer } from '../call/observer.ts';
import type { AttemptOptions, SignInLimits } from './attempt-limits.ts';

interface SignInContext {
  readonly signInLimits: SignInLimits;
  readonly address: string;
  readonly observer: Observer;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Attempts to sign in, as `SignInLimits` says. Logs an attempt that the limits refuse, with the account's id. Not with the
 * e-mail: the caller may have typed a password there.
 */
export async function attemptSignIn<T>(
  { signInLimits, address, observer, signal, log }: SignInContext,
  operation: string,
  email: string,
  verify: () => Promise<T | null>,
  options?: Omit<AttemptOptions<T>, 'onRefused' | 'signal'>,
): Promise<T | null> {
  function onRefused(adminId: string | null, retryAfter: number): void {
    observer.onSignIn('limited');
    log.warn({ operation, address, adminId, retryAfter }, 'too many attempts to sign in');
  }
  return await signInLimits.attempt(email, address, verify, { ...options, onRefused, signal });
}
