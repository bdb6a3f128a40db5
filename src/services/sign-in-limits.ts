import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
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
/** Failures for one account from one network. */
const triesPerAccount = 10;
/** Failures from one network, whatever the account. */
const triesPerNetwork = 100;
/** Failures for one account, from wherever: many networks together guess no faster than this. */
const triesInAll = 100;

/** Keeps the counts in the table `rate_limits` of the database. */
export function createSignInLimits(pool: PlainPool): SignInLimits {
  let opened: ReturnType<typeof openLimiters> | undefined;
  const limiters = () => {
    opened ??= openLimiters(pool);
    return opened;
  };

  return {
    async attempt(email, address) {
      const { perNetwork, perAccount, inAll, RateLimiterRes } = await limiters();
      const network = networkOf(address);
      try {
        // One after the other: what a narrower limit refuses counts for no wider one, so that one network alone can't
        // keep an account from signing in elsewhere.
        await perNetwork.consume(network);
        await perAccount.consume(keyOf(email, network));
        await inAll.consume(keyOf(email));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw new BackofficeError(sessionErrors.tooManyTries, { retryAfter });
      }
    },
    async forgive(email, address) {
      const { perNetwork, perAccount, inAll } = await limiters();
      const network = networkOf(address);
      await Promise.all([
        perNetwork.reward(network),
        perAccount.delete(keyOf(email, network)),
        inAll.reward(keyOf(email)),
      ]);
    },
  };
}

async function openLimiters(pool: PlainPool) {
  // Loaded only now: no command signs in, and each would start later for it.
  const { RateLimiterPostgres, RateLimiterRes } = await import('rate-limiter-flexible');
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
  return {
    perAccount: limiter('sign-in-account', triesPerAccount),
    perNetwork: limiter('sign-in-network', triesPerNetwork),
    inAll: limiter('sign-in-anywhere', triesInAll),
    RateLimiterRes,
  };
}

/** Hashed, because an e-mail may be longer than the table's key, and is nobody's business there. */
function keyOf(...parts: readonly string[]): string {
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
