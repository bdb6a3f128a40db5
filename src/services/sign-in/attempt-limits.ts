import { createHash } from 'node:crypto';
import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import { storedEmail } from '../../contract/schemas/stored-email.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Databases } from '../../db/replica/databases.ts';
import {
  type AttemptLimit,
  type AttemptOutcome,
  type AttemptRefusal,
  endAttempt,
  startAttempt,
} from '../../db/tables/accounts/limited-attempts.ts';
import { selectKnownNetworks } from '../../db/tables/accounts/sign-in-places.ts';
import { wait } from '../../shared/waiting.ts';
import { networkOf, networksOf, placeOf } from '../call/networks.ts';
import type { Log, Observer } from '../call/observer.ts';
import type { Limiters } from '../load/classes.ts';

/** What an attempt to sign in needs of its call. */
export interface SignInContext {
  readonly databases: Databases;
  readonly limiters: Limiters;
  /** The network address of the caller, or empty. */
  readonly address: string;
  readonly observer: Observer;
  /** Ends the wait for the turn. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

interface AttemptOptions<T> {
  /** The operation that signs in, if one does: its refusals are logged and measured. */
  readonly operation?: string;
  /**
   * Reports whether a success completes the sign-in. If not, it clears no failures: who knows the password must not get
   * more tries for the second factor with it. By default, every success does.
   */
  readonly completes?: (result: T) => boolean;
  /** Whether a short code is verified. Its failures are limited for the account, whatever network they come from. */
  readonly isCode?: boolean;
  /** How long an attempt waits for others that run, on any instance. By default half of the deadline of a request. */
  readonly waitMs?: number;
}

/** The `Retry-After` of a caller that only running attempts keep out. */
const shortRetrySeconds = 5;

const defaultWaitMs = 5_000;
const pollMs = 200;

/**
 * Verifies a password or a factor if the limits, which hold for all instances, allow one more failure. An attempt waits for
 * its turn, and counts as a failure until it ends, so parallel attempts guess no faster than sequential ones. A caller
 * refused only because of running attempts waits a few seconds for them to end.
 *
 * @param verify - Resolves with null if the password is wrong, which counts as a failure. Any other result is a success and
 *   clears the earlier failures of the account from that network. If it throws, the attempt is not counted.
 * @throws BackofficeError `rate_limited`, with the seconds to wait
 */
export async function attemptSignIn<T>(
  { databases: { primary: db }, limiters, address, observer, signal, log }: SignInContext,
  given: string,
  verify: () => Promise<T | null>,
  { operation, completes = () => true, isCode = false, waitMs = defaultWaitMs }: AttemptOptions<T> = {},
): Promise<T | null> {
  // However it is written, the attempts to sign in to an account are counted together.
  const email = storedEmail(given);
  const { account, network, anywhere, codes } = limitsOf(email, address);
  const origin = { email: given, network: networkOf(address), place: placeOf(address) };
  const known = await selectKnownNetworks(db, origin);
  // A network that has signed in before is exempt from all counts but its own, so that failures from other networks
  // cannot lock the owner out.
  const limits = known.network
    ? [...account.slice(0, 1), ...network.slice(0, 1)]
    : [...account, ...network, anywhere];
  if (isCode) limits.push(codes);
  const forgiven = isCode ? [...account.slice(0, 1), codes] : account.slice(0, 1);
  const outcomeOf = (verified: T | null): AttemptOutcome => {
    if (verified === null) return { failed: limits };
    return completes(verified) ? { forgiven } : {};
  };
  // Guesses from other places do not make the owner wait.
  const [limiter, caller] = known.place
    ? [limiters.known_sign_ins, `${email} ${origin.place}`]
    : [limiters.sign_ins, origin.network];

  const deadline = performance.now() + waitMs;
  for (;;) {
    const tried = await limiter.run(caller, () => attempt(db, limits, verify, outcomeOf), signal);
    if (tried.refusal === undefined) return tried.result;
    if (tried.refusal.seconds !== null || performance.now() >= deadline) {
      const error = refusedError(sessionErrors.tooManyAttempts, tried.refusal);
      if (operation !== undefined) {
        observer.onSignIn?.('limited');
        // Not the e-mail: the caller may have typed a password there.
        const details = { operation, address, adminId: known.admin_id, retryAfter: error.retryAfter };
        log.warn(details, 'too many attempts to sign in');
      }
      throw error;
    }
    // Only running attempts keep it out. It lets others go on while it waits for them.
    await wait(pollMs, signal);
  }
}

/** Runs work if the limits allow one more failure. Until it ends, it counts as one; if it throws, it is not counted. */
export async function attempt<T>(
  db: Database,
  limits: readonly AttemptLimit[],
  work: () => Promise<T>,
  outcomeOf: (result: T) => AttemptOutcome,
  windowSeconds?: number,
): Promise<{ readonly result: T; readonly refusal?: undefined } | { readonly refusal: AttemptRefusal }> {
  const refusal = await startAttempt(db, limits, windowSeconds);
  if (refusal !== null) return { refusal };
  let outcome: AttemptOutcome = {};
  try {
    const result = await work();
    outcome = outcomeOf(result);
    return { result };
  } finally {
    await endAttempt(db, limits, outcome, windowSeconds);
  }
}

/** Counts a request that the limits allow, as a failure. Returns why they do not, or undefined. */
export async function countRequest(
  db: Database,
  limits: readonly AttemptLimit[],
): Promise<AttemptRefusal | undefined> {
  const { refusal } = await attempt(
    db,
    limits,
    async () => {},
    () => ({ failed: limits }),
  );
  return refusal;
}

/** Returns the error of a refused attempt. It says how many seconds to wait. */
export function refusedError(error: DocumentedError, { seconds }: AttemptRefusal): BackofficeError {
  return new BackofficeError(error, { retryAfter: seconds ?? shortRetrySeconds });
}

const maxFailuresPerAccount = 10;
const maxFailuresPerNetwork = 100;
/** Wrong short codes for one account, from all networks. Only who knows its password can reach this limit. */
const maxWrongCodes = 10;
/** Failures for one account from all networks that have not signed in to it recently. */
const maxFailuresFromAnywhere = 100;

/** Returns the counts that a sign-in to an account may add to. Those of networks begin with the smallest. */
function limitsOf(email: string, address: string) {
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
