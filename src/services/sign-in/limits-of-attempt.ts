import { createHash } from 'node:crypto';
import type { AttemptLimit } from '../../db/tables/accounts/limited-attempts.ts';
import { networksOf } from '../call/networks.ts';

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
