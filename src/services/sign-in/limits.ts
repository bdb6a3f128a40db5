import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { BackofficeError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import type { Database } from '../../db/connection/pool.ts';
import {
  endSignInAttempt,
  hasRecentSignIn,
  type SignInLimit,
  type SignInOutcome,
  startSignInAttempt,
} from '../../db/tables/sign-in-attempts.ts';
import { KeyedWaiters } from '../../shared/keyed-waiters.ts';
import { limitCalls } from '../call/limit-calls.ts';

/** Slows the guessing of passwords down, on all instances together. */
export interface SignInLimits {
  /**
   * Verifies a password where the limits leave room for one more failure. Attempts under way take up room until they
   * have ended, so many at once guess no more often than one after the other; whoever is refused by those alone waits
   * a few seconds for them.
   *
   * @param verify - resolves with null where the password is wrong: that counts as a failure. Anything else is a success,
   *   and the account's earlier failures from there no longer count. Where it throws, nothing was tried
   * @throws BackofficeError `rate_limited`, with the seconds to wait
   */
  attempt<T>(email: string, address: string, verify: () => Promise<T | null>): Promise<T | null>;
}

/** Failures for one account from one network. */
const triesPerAccount = 10;
/** Failures from one network, whatever the account. */
const triesPerNetwork = 100;
/** Failures for one account, from wherever nobody has signed in to it lately: many networks guess no faster than this. */
const triesInAll = 100;

/** Milliseconds that an attempt waits for others to end; half of what a request has, the rest is for its own work. */
const patience = 5_000;
/** Milliseconds until whoever waits looks by itself, because attempts end on other instances too. */
const pause = 1_000;
/** How many wait at most. */
const mostWaiting = 100;
/** Seconds, where only attempts under way are in the way. */
const shortRetry = 5;

/** How many ask for room at once, and how many do in line: the rest of the connections stay for everybody else. */
const atOnce = 2;
const inLine = 200;

/** Keeps the counts in the table `rate_limits` of the database. */
export function createSignInLimits(db: Database): SignInLimits {
  const inTurn = limitCalls(atOnce, inLine);
  const waiters = new KeyedWaiters(mostWaiting);

  async function begin(limits: readonly SignInLimit[]): Promise<void> {
    const deadline = Date.now() + patience;
    let waitedFor: string | undefined;
    for (;;) {
      const refusal = await inTurn(() => startSignInAttempt(db, limits));
      const isFull = refusal !== null && refusal.seconds === null;
      // The next one may have found room too, or learn that there will be none.
      if (waitedFor !== undefined && !isFull) waiters.wake(waitedFor);
      if (refusal === null) return;
      const left = deadline - Date.now();
      if (!isFull || left <= 0 || waiters.isFull) {
        throw new BackofficeError(sessionErrors.tooManyTries, { retryAfter: refusal.seconds ?? shortRetry });
      }
      waitedFor = refusal.key;
      await waiters.wait(waitedFor, Math.min(pause, left));
    }
  }

  return {
    async attempt(email, address, verify) {
      const { account, network, inAll, known } = limitsOf(email, address);
      // Or whoever fails from a hundred networks on purpose would shut everybody out.
      const limits = (await hasRecentSignIn(db, known)) ? [account, network] : [account, network, inAll];
      await begin(limits);
      let outcome: SignInOutcome = {};
      try {
        const verified = await verify();
        outcome = verified === null ? { failed: limits } : { forgiven: [account], remembered: known };
        return verified;
      } finally {
        await endSignInAttempt(db, limits, outcome).finally(() => {
          for (const { key } of limits) waiters.wake(key);
        });
      }
    },
  };
}

function limitsOf(email: string, address: string) {
  const network = networkOf(address);
  return {
    account: { key: `sign-in-account:${hashOf(email, network)}`, maxFailures: triesPerAccount },
    network: { key: `sign-in-network:${network}`, maxFailures: triesPerNetwork },
    inAll: { key: `sign-in-anywhere:${hashOf(email)}`, maxFailures: triesInAll },
    /** Where the account was signed in to from that network. */
    known: `sign-in-known:${hashOf(email, network)}`,
  };
}

/** Hashed, because an e-mail may be of any length, and is nobody's business there. */
function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('base64url');
}

/** An IPv4 address, or the /64 of an IPv6 address: whoever has one address of it has them all. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : parsed.toString();
}
