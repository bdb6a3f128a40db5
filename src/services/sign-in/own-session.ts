import { unauthorized } from '../../contract/errors.ts';
import type { Database } from '../../db/connection/database.ts';
import { lockSession } from '../../db/tables/accounts/sessions.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';

/**
 * Keeps the caller's session from ending before the transaction does, for what outlives the session, such as a second
 * factor. The transaction must have locked the caller's account: a change of the account locks its row before its sessions.
 *
 * @throws BackofficeError `unauthenticated` if the session has ended. A caller without one is not checked.
 */
export async function keepOwnSession(tx: Database, { sessionKey }: Actor): Promise<void> {
  if (sessionKey !== undefined && !(await lockSession(tx, sessionKey))) refuse(unauthorized);
}
