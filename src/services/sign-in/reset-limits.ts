import type { Database } from '../../db/connection/pool.ts';
import { endSignInAttempt, startSignInAttempt } from '../../db/tables/accounts/sign-in-attempts.ts';
import { networksOf } from '../call/networks.ts';
import { hashOf } from './attempt-limits.ts';

/** Links for one e-mail in a quarter of an hour: enough to ask again, and too few to flood a mailbox. */
const maxPerAccount = 3;
/** Links from one network in a quarter of an hour, for any account: twice and four times as many from those around it. */
const maxPerNetwork = 20;

/** Counts a request for a link that sets a new password. Returns false if there were too many. */
export async function allowsReset(db: Database, email: string, address: string): Promise<boolean> {
  const limits = [
    { key: `reset-account:${hashOf(email)}`, maxFailures: maxPerAccount },
    ...networksOf(address).map((network, size) => ({
      key: `reset-network:${network}`,
      maxFailures: maxPerNetwork * 2 ** size,
    })),
  ];
  if ((await startSignInAttempt(db, limits)) !== null) return false;
  await endSignInAttempt(db, limits, { failed: limits });
  return true;
}
