import type { Database } from '../../db/connection/database.ts';
import { deleteSessions } from '../../db/tables/accounts/sessions.ts';
import type { RecordChange } from '../call/changes.ts';

/** Ends the session of that key and all sessions of that admin. Either may be null. */
export async function endSessions(
  tx: Database,
  record: RecordChange,
  key: string | null,
  adminId: string | null,
): Promise<void> {
  for (const { id, admin_id } of await deleteSessions(tx, key, adminId)) {
    record({ event: 'session.ended', id, before: { admin_id } });
  }
}
