import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import { currentSignal, noteDelay, runAs, runToEnd } from '../../db/connection/caller.ts';
import type { RunStatement } from '../../db/connection/pool.ts';
import {
  type AttemptLimit,
  type AttemptOutcome,
  type AttemptRefusal,
  endAttempt,
  startAttempt,
} from '../../db/tables/accounts/limited-attempts.ts';
import { KeyedWaiters } from '../../shared/waiting/keyed-waiters.ts';
import type { Load } from '../../shared/waiting/load.ts';
import type { RightOfWay } from '../../shared/waiting/right-of-way.ts';
import { type FairLimits, shareCalls } from '../call/limit-calls.ts';
import { networkOf, placeOf } from '../call/networks.ts';
import { batchKnownNetworks } from './known-networks.ts';
import { limitsOf } from './limits-of-attempt.ts';
import { SharedRefusals } from './shared-refusals.ts';

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
  /**
   * Called when the attempt is refused.
   *
   * @param adminId - the id of the account, or null if no active one has the e-mail
   * @param retryAfter - seconds to wait
   */
  readonly onRefused?: (adminId: string | null, retryAfter: number) => void;
  /** Whether a short code is verified. Its failures are limited for the account, whatever network they come from. */
  readonly isCode?: boolean;
}

/** How many attempts begin at once: those of one account wait for each other while they hold connections. */
const starting: FairLimits = { maxConcurrent: 2, maxQueued: 200, reserved: 1, lends: true };
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
 * @param runStatement - runs a short statement on the primary
 * @param standstill - returns a signal that ends all waits when it aborts
 * @param rightOfWay - what long work makes room for while an attempt runs
 * @param waitTimeoutMs - how long a caller waits for running attempts
 */
export function createSignInLimits(
  runStatement: RunStatement,
  standstill: () => AbortSignal,
  rightOfWay: RightOfWay,
  waitTimeoutMs = defaultWaitTimeoutMs,
): SignInLimits {
  const runShared = shareCalls(starting);
  const waiters = new KeyedWaiters(maxWaiting);
  const findKnownNetworks = batchKnownNetworks(runStatement, standstill);
  const refusals = new SharedRefusals();

  /** Starts an attempt when it is its turn. Returns why it is refused, or null. */
  async function startInTurn(limits: readonly AttemptLimit[]): Promise<AttemptRefusal | null> {
    const arrived = refusals.arrive();
    return await runShared(async () => {
      const refusal = await refusals.findOr(limits, arrived, () =>
        runStatement((db) => startAttempt(db, limits)),
      );
      if (runShared.load().waiting === 0) refusals.clear();
      return refusal;
    });
  }

  /** Starts an attempt, and waits if only running attempts keep it out. Returns why it is refused, or null. */
  async function start(limits: readonly AttemptLimit[]): Promise<AttemptRefusal | null> {
    const deadline = performance.now() + waitTimeoutMs;
    let waitedFor: string | undefined;
    for (;;) {
      const signal = currentSignal();
      if (signal?.aborted) {
        // Nobody waits for this attempt any more.
        if (waitedFor !== undefined) waiters.wake(waitedFor);
        throw signal.reason;
      }
      const refusal = await startInTurn(limits);
      const mayFreeUp = refusal !== null && refusal.seconds === null;
      if (waitedFor !== undefined) {
        // Another waiting caller may be allowed, unless the same limit refuses them all.
        if (refusal?.key !== waitedFor) waiters.wake(waitedFor);
        else if (!mayFreeUp) waiters.wakeAll(waitedFor);
      }
      const leftMs = deadline - performance.now();
      if (!mayFreeUp || leftMs <= 0 || waiters.isFull) return refusal;
      waitedFor = refusal.key;
      noteDelay(signal);
      await waiters.wait(waitedFor, Math.min(pollIntervalMs, leftMs));
    }
  }

  function endOf(limits: readonly AttemptLimit[]): void {
    for (const { key } of limits) {
      refusals.forget(key);
      waiters.wake(key);
    }
  }

  return {
    load: () => runShared.load(),
    async attempt(email, address, verify, { completes = () => true, onRefused, isCode = false } = {}) {
      const { account, network, anywhere, codes } = limitsOf(email, address);
      const place = placeOf(address);
      const known = await findKnownNetworks({ email, network: networkOf(address), place });
      // A network that has signed in before is exempt from all counts but its own, so that failures from other networks
      // cannot lock the owner out.
      const limits = known.network
        ? [...account.slice(0, 1), ...network.slice(0, 1)]
        : [...account, ...network, anywhere];
      if (isCode) limits.push(codes);
      const forgiven = isCode ? [...account.slice(0, 1), codes] : account.slice(0, 1);

      const attempt = async () => {
        const refusal = await start(limits);
        if (refusal !== null) {
          onRefused?.(known.admin_id, secondsOf(refusal));
          throw refusedError(sessionErrors.tooManyAttempts, refusal);
        }
        return await rightOfWay.take(async () => {
          let outcome: AttemptOutcome = {};
          try {
            const verified = await verify();
            if (verified === null) outcome = { failed: limits };
            else if (completes(verified)) outcome = { forgiven };
            return verified;
          } finally {
            await runToEnd(() => runStatement((db) => endAttempt(db, limits, outcome))).finally(() =>
              endOf(limits),
            );
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
export function refusedError(error: DocumentedError, refusal: AttemptRefusal): BackofficeError {
  return new BackofficeError(error, { retryAfter: secondsOf(refusal) });
}

function secondsOf({ seconds }: AttemptRefusal): number {
  return seconds ?? shortRetrySeconds;
}
