import { selectSessionAdmins, selectSessions } from '../../db/tables/accounts/sessions.ts';
import { findShort } from '../call/search-slots.ts';
import { endSessions } from '../sign-in/end-sessions.ts';
import { checkStrictSessions } from '../sign-in/strict-roles.ts';
import type { HandlersOf } from './handler-types.ts';

export const sessionsHandlers = {
  'sessions.list': async (context, { q }) => ({
    sessions: await findShort(context, q, (db) => selectSessions(db, context.sessionIdleSeconds, q)),
  }),

  'sessions.revoke': async ({ change, actor, strictRoles }, { id = null, admin_id = null }) => {
    await change(async (tx, touch) => {
      if (strictRoles) {
        await checkStrictSessions(tx, actor.role, await selectSessionAdmins(tx, id, admin_id));
      }
      await endSessions(tx, touch, id, admin_id);
    });
    return { success: true };
  },
} satisfies HandlersOf<'sessions'>;
