import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import { deleteSessions, selectSessions } from '../db/sessions.ts';
import type { Change } from './changes.ts';
import type { Context } from './context.ts';

export async function listSessions({ db, sessionIdleSeconds }: Context): Promise<OutputOf<'sessions.list'>> {
  return { sessions: [...(await selectSessions(db, sessionIdleSeconds))] };
}

export async function revokeSession(
  { change }: Context,
  { id, admin_id }: ParsedInputOf<'sessions.revoke'>,
): Promise<OutputOf<'sessions.revoke'>> {
  await endSessions(change, id ?? null, admin_id ?? null);
  return { success: true };
}

/** Ends a session, and all sessions of an admin; null names none. */
export async function endSessions(change: Change, key: string | null, adminId: string | null): Promise<void> {
  await change(async (tx, touch) => {
    for (const { id, admin_id } of await deleteSessions(tx, key, adminId)) {
      touch({ event: 'session.ended', id, before: { admin_id } });
    }
  });
}
