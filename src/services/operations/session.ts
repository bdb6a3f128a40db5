import { BackofficeError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import { selectCredentials } from '../../db/tables/admins.ts';
import type { Context } from '../call/context.ts';
import { endSessions } from './sessions.ts';

/**
 * Signs in, in place of the session that the caller may have had. An unknown account, an inactive one and a wrong
 * password get the same answer after the same work.
 */
export async function createSession(
  { db, change, actor, session, passwords, signInLimits, address, log }: Context,
  { email, password }: ParsedInputOf<'session.create'>,
): Promise<OutputOf<'session.create'>> {
  const credentials = await signInLimits.attempt(email, address, async () => {
    const found = await selectCredentials(db, email);
    if (await passwords.verify(password, found?.password_hash)) return found;
    // Whose e-mail it is, and not the e-mail: what was typed there may be a password.
    log.warn({ address, adminId: found?.id ?? null }, 'a sign-in failed');
    return null;
  });
  if (credentials === null) throw new BackofficeError(sessionErrors.invalidCredentials);
  const { password_hash: hash, ...admin } = credentials;
  // The password may have been changed while it was verified.
  const started = await change(
    async (tx, touch) => {
      const key = await session.start(tx, admin.id, hash);
      if (key === null) return false;
      touch({ event: 'session.started', id: key, after: { admin_id: admin.id } });
      if (actor.sessionKey !== undefined) await endSessions(tx, touch, actor.sessionKey, null);
      return true;
    },
    // Whoever signs in, and not nobody, is on record.
    { ...actor, kind: 'admin', id: admin.id, name: admin.email },
  );
  if (!started) throw new BackofficeError(sessionErrors.invalidCredentials);
  return { success: true, admin };
}

export async function showSession({ actor }: Context): Promise<OutputOf<'session.show'>> {
  if (actor.admin === null) return { success: true, admin: null };
  const { created_at: _createdAt, ...admin } = actor.admin;
  return { success: true, admin };
}

export async function deleteSession({
  change,
  actor,
  session,
}: Context): Promise<OutputOf<'session.delete'>> {
  // A token and a local operator have no session to end.
  if (actor.sessionKey !== undefined) {
    const { sessionKey } = actor;
    await change((tx, touch) => endSessions(tx, touch, sessionKey, null));
    session.forget();
  }
  return { success: true };
}
