import { factorErrors } from '../../contract/operations/factors.ts';
import type { FactorType } from '../../contract/schemas/factors.ts';
import type { Database } from '../../db/connection/database.ts';
import { lockAdmin } from '../../db/tables/accounts/admins.ts';
import {
  countFactors,
  countRecoveryCodes,
  deleteFactors,
  deleteRecoveryCodes,
  replaceRecoveryCodes,
  selectFactors,
} from '../../db/tables/accounts/factors.ts';
import { deleteEnrollingSessions, endEnrolment } from '../../db/tables/accounts/sessions.ts';
import { deleteChallenges } from '../../db/tables/accounts/sign-in-challenges.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import { createRecoveryCodes, sealRecoveryCode } from '../factors/codes.ts';
import { modeOf } from '../factors/due.ts';
import { siteOf } from '../factors/passkeys.ts';
import {
  checkOwnPassword,
  checkRoom,
  checkSetUp,
  ownAccount,
  startPasskey,
  startTotp,
} from '../factors/set-up.ts';
import { sendAccountNotice } from '../mail/templates.ts';
import { endSessions, keepOwnSession, recordEnded } from '../sign-in/sessions.ts';
import type { HandlersOf } from './handler-types.ts';

export const factorHandlers = {
  'factors.list': async ({ db, actor }) => {
    const { id, role } = ownAccount(actor);
    return { ...(await listOf(db, id)), second_factor: await modeOf(db, role) };
  },

  'factors.create': async (context, { type, password, name = '' }) => {
    const admin = await checkOwnPassword(context, password);
    const started =
      type === 'totp'
        ? await startTotp(context, admin, name)
        : await startPasskey(context, admin, name, siteOf(context));
    return { success: true, ...started };
  },

  'factors.verify': async (context, proof) => {
    const { change, actor } = context;
    const admin = ownAccount(actor);
    const { id, type, name, verify } = await checkSetUp(context, admin, siteOf(context), proof);
    return await change(async (tx, record) => {
      await lockOwnAccount(tx, actor, admin.id);
      await checkRoom(tx, admin.id, type);
      const isFirst = (await countFactors(tx, admin.id)) === 0;
      if (!(await verify(tx))) refuse(factorErrors.unknown);
      record({ event: 'factor.added', id, after: { admin_id: admin.id, type, name } });
      await sendAccountNotice(context, tx, admin.email, [
        `${nameOf({ type, name })} was added as a second factor`,
      ]);
      // Sign-ins that began before may be completed with less, such as a code by e-mail.
      await deleteChallenges(tx, admin.id);
      if (actor.sessionKey !== undefined) await endEnrolment(tx, actor.sessionKey);
      // The admin's other limited sessions end: their owner may know only the password.
      recordEnded(record, await deleteEnrollingSessions(tx, admin.id));
      if (!isFirst) return { success: true };
      return { success: true, recovery_codes: await renewRecoveryCodes(context, tx, record, admin.id) };
    });
  },

  'factors.delete': async (context, { id, password }) => {
    const admin = await checkOwnPassword(context, password);
    await context.change(async (tx, record) => {
      await lockOwnAccount(tx, context.actor, admin.id);
      await removeFactors(context, tx, record, admin, id);
    });
  },

  'factors.createRecoveryCodes': async (context, { password }) => {
    const admin = await checkOwnPassword(context, password);
    return await context.change(async (tx, record) => {
      await lockOwnAccount(tx, context.actor, admin.id);
      if ((await countFactors(tx, admin.id)) === 0) refuse(factorErrors.none);
      await sendAccountNotice(context, tx, admin.email, ['the recovery codes were replaced']);
      return { success: true, recovery_codes: await renewRecoveryCodes(context, tx, record, admin.id) };
    });
  },

  'factors.listOfAdmin': async ({ db }, { id }) => await listOf(db, id),

  'factors.reset': async (context, { id, password = '' }) => {
    const { change, actor } = context;
    if (actor.token !== undefined) refuse(factorErrors.tokens);
    if (actor.kind === 'admin') {
      if (actor.id === id) refuse(factorErrors.ownAccount);
      await checkOwnPassword(context, password);
    }
    return await change(async (tx, record) => {
      // In one order, so that two superadmins who reset each other's factors cannot deadlock.
      for (const each of [id, actor.admin?.id ?? id].toSorted()) await lockAdmin(tx, each);
      await keepOwnSession(tx, actor);
      const admin = await lockAdmin(tx, id);
      const removed = admin === null ? 0 : await removeFactors(context, tx, record, admin, null);
      if (removed > 0) await endSessions(tx, record, null, id);
      return { success: true, removed };
    });
  },
} satisfies HandlersOf<'factors'>;

/** Locks the caller's account and session. What follows commits only if neither has ended. */
async function lockOwnAccount(tx: Database, actor: Actor, id: string): Promise<void> {
  await lockAdmin(tx, id);
  await keepOwnSession(tx, actor);
}

const kinds: Readonly<Record<FactorType, string>> = { totp: 'an authenticator app', passkey: 'a passkey' };

/** Returns how a mail calls a factor. */
function nameOf({ type, name }: { readonly type: FactorType; readonly name: string }): string {
  return name === '' ? kinds[type] : `${kinds[type]} (${name})`;
}

async function listOf(db: Database, adminId: string) {
  const factors = await selectFactors(db, adminId);
  return { factors, recovery_codes_left: await countRecoveryCodes(db, adminId) };
}

/** Removes one factor of an admin, or all. With the last one go the recovery codes. Returns how many it removed. */
async function removeFactors(
  context: Context,
  tx: Database,
  record: RecordChange,
  { id: adminId, email }: { readonly id: string; readonly email: string },
  id: string | null,
): Promise<number> {
  const removed = await deleteFactors(tx, adminId, id);
  for (const { id, type, name } of removed) {
    record({ event: 'factor.removed', id, before: { admin_id: adminId, type, name } });
  }
  if (removed.length === 0) return 0;
  const changes = removed.map((factor) => `${nameOf(factor)} was removed as a second factor`);
  await sendAccountNotice(context, tx, email, changes);
  await deleteChallenges(tx, adminId);
  if ((await countFactors(tx, adminId)) === 0) await deleteRecoveryCodes(tx, adminId);
  return removed.length;
}

async function renewRecoveryCodes(
  { secretBox }: Context,
  tx: Database,
  record: RecordChange,
  adminId: string,
): Promise<readonly string[]> {
  const codes = createRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    adminId,
    codes.map((code) => sealRecoveryCode(secretBox, adminId, code)),
  );
  record({ event: 'recovery_codes.created', id: adminId, after: { admin_id: adminId, left: codes.length } });
  return codes;
}
