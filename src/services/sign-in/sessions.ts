import { unauthorized } from '../../contract/errors.ts';
import type { Database } from '../../db/connection/database.ts';
import { deleteSessions, type EndedSession, lockSession } from '../../db/tables/accounts/sessions.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';

/**
 * Keeps the caller's session until the transaction ends, or refuses the call if it has ended. The caller's
 * account must be locked: a change of an account locks its row before its sessions.
 */
export async function keepOwnSession(tx: Database, { sessionKey }: Actor): Promise<void> {
  if (sessionKey !== undefined && !(await lockSession(tx, sessionKey))) refuse(unauthorized);
}

/** Ends the session of that key and all sessions of that admin. Either may be null. */
export async function endSessions(
  tx: Database,
  record: RecordChange,
  key: string | null,
  adminId: string | null,
): Promise<void> {
  recordEnded(record, await deleteSessions(tx, key, adminId));
}

/** Records sessions that were ended. */
export function recordEnded(record: RecordChange, ended: readonly EndedSession[]): void {
  record(...ended.map(({ id, admin_id }) => ({ event: 'session.ended', id, before: { admin_id } }) as const));
}
