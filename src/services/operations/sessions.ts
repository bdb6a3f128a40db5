import { BackofficeError } from '../../contract/errors.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/pool.ts';
import { deleteSessions, selectSessionAdmins, selectSessions } from '../../db/tables/sessions.ts';
import type { Context, Touch } from '../call/context.ts';
import { checkStrictSessions } from '../sign-in/strict-roles.ts';

export async function listSessions({ db, sessionIdleSeconds }: Context): Promise<OutputOf<'sessions.list'>> {
  return { sessions: [...(await selectSessions(db, sessionIdleSeconds))] };
}

export async function revokeSession(
  { change, actor, strictRoles }: Context,
  given: ParsedInputOf<'sessions.revoke'>,
): Promise<OutputOf<'sessions.revoke'>> {
  const [id, admin_id] = [given.id ?? null, given.admin_id ?? null];
  const refusal = await change(async (tx, touch) => {
    const refused = strictRoles
      ? await checkStrictSessions(tx, actor.role, await selectSessionAdmins(tx, id, admin_id))
      : undefined;
    if (refused === undefined) await endSessions(tx, touch, id, admin_id);
    return refused;
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}

/** Ends a session, and all sessions of an admin; null names none. */
export async function endSessions(
  tx: Database,
  touch: Touch,
  key: string | null,
  adminId: string | null,
): Promise<void> {
  for (const { id, admin_id } of await deleteSessions(tx, key, adminId)) {
    touch({ event: 'session.ended', id, before: { admin_id } });
  }
}
