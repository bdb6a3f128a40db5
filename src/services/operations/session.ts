import { sessionErrors } from '../../contract/operations/session.ts';
import { selectCredentials } from '../../db/tables/accounts/admins.ts';
import { refuse } from '../call/refuse.ts';
import { endSessions } from '../sign-in/end-sessions.ts';
import type { HandlersOf } from './handler-types.ts';

export const sessionHandlers = {
  /**
   * Signs in and ends the caller's previous session. An unknown account, an inactive one and a wrong password get the
   * same answer after the same work.
   */
  'session.create': async (context, { email, password }) => {
    const { db, change, actor, session, passwords, signInLimits, address, log } = context;
    const credentials = await signInLimits.attempt(email, address, async () => {
      const found = await selectCredentials(db, email);
      if (await passwords.verify(password, found?.password_hash)) return found;
      // Logs the account's id, not the e-mail: the caller may have typed a password there.
      log.warn({ address, adminId: found?.id ?? null }, 'sign-in failed');
      return null;
    });
    if (credentials === null) refuse(sessionErrors.invalidCredentials);
    const { password_hash: hash, ...admin } = credentials;
    await change(
      async (tx, touch) => {
        const key = await session.start(tx, admin.id, hash);
        // The password may have changed during verification.
        if (key === null) refuse(sessionErrors.invalidCredentials);
        touch({ event: 'session.started', id: key, after: { admin_id: admin.id } });
        if (actor.sessionKey !== undefined) await endSessions(tx, touch, actor.sessionKey, null);
      },
      // The records name the admin that signs in, not the anonymous caller.
      { ...actor, kind: 'admin', id: admin.id, name: admin.email },
    );
    return { success: true, admin };
  },

  'session.show': async ({ actor }) => {
    if (actor.admin === null) return { success: true, admin: null };
    const { created_at: _createdAt, ...admin } = actor.admin;
    return { success: true, admin };
  },

  'session.delete': async ({ change, actor, session }) => {
    const { sessionKey } = actor;
    // A token and a local operator have no session to end.
    if (sessionKey !== undefined) {
      await change((tx, touch) => endSessions(tx, touch, sessionKey, null));
      session.forget();
    }
    return { success: true };
  },
} satisfies HandlersOf<'session'>;
