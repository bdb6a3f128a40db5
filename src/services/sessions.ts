import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import { deleteSessions, selectSessions } from '../db/sessions.ts';
import type { Context } from './context.ts';

export async function listSessions({ db, sessionIdleSeconds }: Context): Promise<OutputOf<'sessions.list'>> {
  return { sessions: [...(await selectSessions(db, sessionIdleSeconds))] };
}

export async function revokeSession(
  { db }: Context,
  { id, admin_id }: ParsedInputOf<'sessions.revoke'>,
): Promise<OutputOf<'sessions.revoke'>> {
  await deleteSessions(db, id ?? null, admin_id ?? null);
  return { success: true };
}
