import type { Database } from '../../db/connection/database.ts';
import { endAttempt, startAttempt } from '../../db/tables/accounts/limited-attempts.ts';
import { hashOf, limitsOfNetworks } from './limits-of-attempt.ts';

/** Links for one e-mail in a quarter of an hour: enough to ask again, and too few to flood a mailbox. */
const maxPerAccount = 3;
/** Links from one network in a quarter of an hour, for any account. */
const maxPerNetwork = 20;

/** Counts a request for a link that sets a new password. Returns false if there were too many. */
export async function allowsReset(db: Database, email: string, address: string): Promise<boolean> {
  const limits = [
    { key: `reset-account:${hashOf(email)}`, maxFailures: maxPerAccount },
    ...limitsOfNetworks(address, maxPerNetwork, (network) => `reset-network:${network}`),
  ];
  if ((await startAttempt(db, limits)) !== null) return false;
  await endAttempt(db, limits, { failed: limits });
  return true;
}
