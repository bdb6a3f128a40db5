import { createHash } from 'node:crypto';
import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  type AttemptLimit,
  type AttemptOutcome,
  type AttemptRefusal,
  endAttempt,
  startAttempt,
} from '../../db/tables/accounts/limited-attempts.ts';
import { selectKnownNetworks } from '../../db/tables/accounts/sign-in-places.ts';
import { wait } from '../../shared/waiting.ts';
import type { Log } from '../call/log.ts';
import { networkOf, networksOf, placeOf } from '../call/networks.ts';
import type { Observer } from '../call/observer.ts';
import type { Limiters } from '../load/classes.ts';

/** Limits password guessing, across all instances. */
export interface SignInLimits {
  /**
   * Verifies a password if the limits allow one more failure. A running attempt counts as a failure until it ends, so
   * parallel attempts guess no faster than sequential ones. A caller refused only because of running attempts waits a
   * few seconds for them to end.
   *
   * @param verify - Resolves with null if the password is wrong, which counts as a failure. Any other result is a
   *   success and clears the earlier failures of the account from that network. If it throws, the attempt is not counted.
   * @throws BackofficeError `rate_limited`, with the seconds to wait
   */
  attempt<T>(
    email: string,
    address: string,
    verify: () => Promise<T | null>,
    options?: AttemptOptions<T>,
  ): Promise<T | null>;
}

export interface AttemptOptions<T> {
  /**
   * Reports whether a success completes the sign-in. If not, it clears no failures: who knows the password must not get
   * more tries for the second factor with it. By default, every success does.
   */
  readonly completes?: (result: T) => boolean;
  /**
   * Called when the attempt is refused.
   *
   * @param adminId - the id of the account, or null if no active one has the e-mail
   * @param retryAfter - seconds to wait
   */
  readonly onRefused?: (adminId: string | null, retryAfter: number) => void;
  /** Whether a short code is verified. Its failures are limited for the account, whatever network they come from. */
  readonly isCode?: boolean;
  /** Ends the wait for the turn. */
  readonly signal?: AbortSignal;
}

/** The `Retry-After` of a caller that only running attempts keep out. */
const shortRetrySeconds = 5;

/** How long an attempt waits for others that run, on any instance. Half of the deadline of a request. */
const defaultWaitMs = 5_000;
const pollMs = 200;

/** Keeps the counts in the table `rate_limits`. An attempt waits for its turn before it counts as running. */
export function createSignInLimits(db: Database, limiters: Limiters, waitMs = defaultWaitMs): SignInLimits {
  return {
    async attempt(email, address, verify, options = {}) {
      const { completes = () => true, onRefused, isCode = false, signal } = options;
      const { account, network, anywhere, codes } = limitsOf(email, address);
      const origin = { email, network: networkOf(address), place: placeOf(address) };
      const known = await selectKnownNetworks(db, origin);
      // A network that has signed in before is exempt from all counts but its own, so that failures from other networks
      // cannot lock the owner out.
      const limits = known.network
        ? [...account.slice(0, 1), ...network.slice(0, 1)]
        : [...account, ...network, anywhere];
      if (isCode) limits.push(codes);
      const forgiven = isCode ? [...account.slice(0, 1), codes] : account.slice(0, 1);
      // Guesses from other places do not make the owner wait.
      const [limiter, caller] = known.place
        ? [limiters.known_sign_ins, `${email} ${origin.place}`]
        : [limiters.sign_ins, origin.network];

      const tryOnce = async () => {
        const refusal = await startAttempt(db, limits);
        if (refusal !== null) return { refusal };
        let outcome: AttemptOutcome = {};
        try {
          const verified = await verify();
          if (verified === null) outcome = { failed: limits };
          else if (completes(verified)) outcome = { forgiven };
          return { verified };
        } finally {
          await endAttempt(db, limits, outcome);
        }
      };

      const deadline = performance.now() + waitMs;
      for (;;) {
        const tried = await limiter.run(caller, tryOnce, signal);
        if (tried.refusal === undefined) return tried.verified;
        if (tried.refusal.seconds !== null || performance.now() >= deadline) {
          onRefused?.(known.admin_id, secondsOf(tried.refusal));
          throw refusedError(sessionErrors.tooManyAttempts, tried.refusal);
        }
        // Only running attempts keep it out. It lets others go on while it waits for them.
        await wait(pollMs, signal);
      }
    },
  };
}

/** Returns the error of a refused attempt. It says how many seconds to wait. */
export function refusedError(error: DocumentedError, refusal: AttemptRefusal): BackofficeError {
  return new BackofficeError(error, { retryAfter: secondsOf(refusal) });
}

function secondsOf({ seconds }: AttemptRefusal): number {
  return seconds ?? shortRetrySeconds;
}

/** Failures for one account from one network. */
const maxFailuresPerAccount = 10;
/** Failures for any account from one network. */
const maxFailuresPerNetwork = 100;
/** Wrong short codes for one account, from all networks. Only who knows its password can reach this limit. */
const maxWrongCodes = 10;
/**
 * Failures for one account from all networks that have not signed in to it recently. It limits guessing from many
 * networks.
 */
const maxFailuresFromAnywhere = 100;

/** The counts that a sign-in may add to. Those of networks begin with the smallest. */
interface LimitsOfAttempt {
  readonly account: readonly AttemptLimit[];
  readonly network: readonly AttemptLimit[];
  readonly anywhere: AttemptLimit;
  readonly codes: AttemptLimit;
}

/** Returns the limits of a sign-in to an account from an address. */
export function limitsOf(email: string, address: string): LimitsOfAttempt {
  const ofAccount = (network: string) => `sign-in-account:${hashOf(email, network)}`;
  const ofNetwork = (network: string) => `sign-in-network:${network}`;
  return {
    account: limitsOfNetworks(address, maxFailuresPerAccount, ofAccount),
    network: limitsOfNetworks(address, maxFailuresPerNetwork, ofNetwork),
    anywhere: { key: `sign-in-anywhere:${hashOf(email)}`, maxFailures: maxFailuresFromAnywhere },
    codes: { key: `sign-in-codes:${hashOf(email)}`, maxFailures: maxWrongCodes },
  };
}

/**
 * Returns the limits of the networks of an address: an IPv4 address, or the /64 of an IPv6 address. The /56 and the /48
 * around it may have twice and four times as many failures: one party may have all of a /48, which has 65,536 times a /64, or
 * share it with others.
 */
export function limitsOfNetworks(
  address: string,
  maxFailures: number,
  keyOf: (network: string) => string,
): readonly AttemptLimit[] {
  return networksOf(address).map((network, size) => ({
    key: keyOf(network),
    maxFailures: maxFailures * 2 ** size,
  }));
}

/** Hashes an e-mail, because it can be of any length and should not be stored here. */
export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('base64url');
}

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
