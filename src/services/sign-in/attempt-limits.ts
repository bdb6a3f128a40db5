import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import { currentSignal, noteDelay, runAs, runToEnd } from '../../db/connection/caller.ts';
import type { Database } from '../../db/connection/pool.ts';
import {
  type AttemptLimit,
  type AttemptOutcome,
  type AttemptRefusal,
  endAttempt,
  startAttempt,
} from '../../db/tables/accounts/limited-attempts.ts';
import { selectKnownNetworks } from '../../db/tables/accounts/sign-in-places.ts';
import { KeyedWaiters } from '../../shared/keyed-waiters.ts';
import type { Load } from '../../shared/load.ts';
import type { RightOfWay } from '../../shared/right-of-way.ts';
import { type FairLimits, shareCalls } from '../call/limit-calls.ts';
import { networkOf, placeOf } from '../call/networks.ts';
import { limitsOf } from './limits-of-attempt.ts';

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
  /** Returns how many attempts begin, and how many wait for their turn. */
  load(): Load;
}

export interface AttemptOptions<T> {
  /**
   * Reports whether a success completes the sign-in. If not, it clears no failures: who knows the password must not get
   * more tries for the second factor with it. By default, every success does.
   */
  readonly completes?: (result: T) => boolean;
  /** Whether a short code is verified. Its failures are limited for the account, whatever network they come from. */
  readonly isCode?: boolean;
}

/** Half of the deadline of a request. The rest is for its own work. */
const defaultWaitTimeoutMs = 5_000;
/** A waiting caller polls at this interval, because attempts also end on other instances. */
const pollIntervalMs = 1_000;
const maxWaiting = 100;
/** The `Retry-After` of a caller that only running attempts keep out. */
const shortRetrySeconds = 5;

/**
 * Keeps the counts in the table `rate_limits`.
 *
 * @param starting - limits the attempts that start at once: those of one account wait for each other
 * @param rightOfWay - what long work makes room for while an attempt runs
 * @param waitTimeoutMs - how long a caller waits for running attempts
 */
export function createSignInLimits(
  db: Database,
  starting: FairLimits,
  rightOfWay: RightOfWay,
  waitTimeoutMs = defaultWaitTimeoutMs,
): SignInLimits {
  const runShared = shareCalls(starting);
  const waiters = new KeyedWaiters(maxWaiting);

  async function start(limits: readonly AttemptLimit[]): Promise<void> {
    const deadline = performance.now() + waitTimeoutMs;
    let waitedFor: string | undefined;
    for (;;) {
      const refusal = await runShared(() => startAttempt(db, limits));
      const mayFreeUp = refusal !== null && refusal.seconds === null;
      // The next waiting caller may be allowed too, or learns that it is refused for longer.
      if (waitedFor !== undefined && !mayFreeUp) waiters.wake(waitedFor);
      if (refusal === null) return;
      const leftMs = deadline - performance.now();
      if (!mayFreeUp || leftMs <= 0 || waiters.isFull) {
        throw refusedError(sessionErrors.tooManyAttempts, refusal);
      }
      waitedFor = refusal.key;
      noteDelay(currentSignal());
      await waiters.wait(waitedFor, Math.min(pollIntervalMs, leftMs));
    }
  }

  return {
    load: () => runShared.load(),
    async attempt(email, address, verify, { completes = () => true, isCode = false } = {}) {
      const { account, network, anywhere, codes } = limitsOf(email, address);
      const place = placeOf(address);
      const known = await selectKnownNetworks(db, email, { network: networkOf(address), place });
      // A network that has signed in before is exempt from all counts but its own, so that failures from other networks
      // cannot lock the owner out.
      const limits = known.network
        ? [...account.slice(0, 1), ...network.slice(0, 1)]
        : [...account, ...network, anywhere];
      if (isCode) limits.push(codes);
      const forgiven = isCode ? [...account.slice(0, 1), codes] : account.slice(0, 1);

      const attempt = async () => {
        await start(limits);
        return await rightOfWay.take(async () => {
          let outcome: AttemptOutcome = {};
          try {
            const verified = await verify();
            if (verified === null) outcome = { failed: limits };
            else if (completes(verified)) outcome = { forgiven };
            return verified;
          } finally {
            await runToEnd(() => endAttempt(db, limits, outcome)).finally(() => {
              for (const { key } of limits) waiters.wake(key);
            });
          }
        });
      };
      // The place has slots of its own too, so that others do not make the owner wait.
      if (!known.place) return await attempt();
      return await runAs({ key: `sign-in ${email} ${place}`, isPreferred: true }, attempt);
    },
  };
}

/** Returns the error of a refused attempt. It says how many seconds to wait. */
export function refusedError(error: DocumentedError, { seconds }: AttemptRefusal): BackofficeError {
  return new BackofficeError(error, { retryAfter: seconds ?? shortRetrySeconds });
}
