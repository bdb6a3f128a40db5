import type { Database } from '../../db/connection/database.ts';
import {
  deleteOwnSessions,
  selectOwnSessions,
  selectSessionAdmins,
  selectSessions,
} from '../../db/tables/accounts/sessions.ts';
import { endSessions, recordEnded } from '../sign-in/sessions.ts';
import { checkStrictSessions, isStrict } from '../sign-in/strict-roles.ts';
import { findShort } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

export const sessionsHandlers = {
  'sessions.list': async (context, { q, include }) => {
    const { actor, rules } = context;
    const { sessionIdleSeconds } = rules;
    const originFor =
      include?.includes('origin') === true ? { currentKey: actor.sessionKey ?? null } : undefined;
    const find = (db: Database) => selectSessions(db, sessionIdleSeconds, { q, originFor });
    return { sessions: await findShort(context, q, find) };
  },

  'sessions.revoke': (context, { id = null, admin_id = null }) =>
    context.change(async (tx, record) => {
      if (isStrict(context)) {
        await checkStrictSessions(tx, context.actor.role, await selectSessionAdmins(tx, id, admin_id));
      }
      await endSessions(tx, record, id, admin_id);
    }),

  'sessions.listOwn': async ({ db, actor, rules: { sessionIdleSeconds } }) => {
    const { admin, sessionKey = null } = actor;
    if (admin === null) return { sessions: [] };
    return { sessions: await selectOwnSessions(db, sessionIdleSeconds, admin.id, sessionKey) };
  },

  'sessions.revokeOwn': async ({ change, actor }, { id }) => {
    const { admin, sessionKey: except = null } = actor;
    if (admin === null) return;
    await change(async (tx, record) =>
      recordEnded(record, await deleteOwnSessions(tx, admin.id, { id, except })),
    );
  },
} satisfies HandlersOf<'sessions'>;
