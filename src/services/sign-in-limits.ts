import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { BackofficeError } from '../contract/errors.ts';
import { sessionErrors } from '../contract/session.ts';
import type { PlainPool } from '../db/plain-pool.ts';

/** Slows the guessing of passwords down, on all instances together. */
export interface SignInLimits {
  /** @throws BackofficeError `rate_limited`, with the seconds to wait */
  attempt(email: string, address: string): Promise<void>;
  /** A sign-in that succeeded: its earlier failures no longer count. */
  forgive(email: string, address: string): Promise<void>;
}

const window = 15 * 60;
/** Failures for one account from one address. */
const triesPerAccount = 10;
/** Failures from one address, whatever the account. */
const triesPerAddress = 100;

/** Keeps the counts in the table `rate_limits` of the database. */
export function createSignInLimits(pool: PlainPool): SignInLimits {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: window,
    });
  const perAccount = limiter('sign-in-account', triesPerAccount);
  const perAddress = limiter('sign-in-address', triesPerAddress);
  // Hashed, because an e-mail may be longer than the table's key.
  const account = (email: string, address: string) =>
    createHash('sha256').update(`${address} ${email}`).digest('base64url');

  return {
    async attempt(email, address) {
      try {
        await Promise.all([perAddress.consume(address), perAccount.consume(account(email, address))]);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw new BackofficeError(sessionErrors.tooManyTries, { retryAfter });
      }
    },
    async forgive(email, address) {
      await Promise.all([perAddress.reward(address), perAccount.delete(account(email, address))]);
    },
  };
}
