import { toRole } from '../../contract/operation.ts';
import { adminErrors } from '../../contract/operations/admins.ts';
import { toUsername } from '../../contract/schemas/admins.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectVersion } from '../../db/lists/table-versions.ts';
import { adminPageTables, findAdminPage, selectAdminPage } from '../../db/tables/accounts/admin-page.ts';
import {
  adminEmailConstraint,
  deleteAdminUnless,
  hasEmail,
  insertAdmin,
  lockAdmin,
  lockAdminEmails,
  selectEmail,
  updateAdminActivity,
  updateAdminFields,
} from '../../db/tables/accounts/admins.ts';
import { keepSession } from '../../db/tables/accounts/sessions.ts';
import { unlessTaken } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { changesOfAccount, sendAccountNotice } from '../mail/templates.ts';
import { checkCurrentPassword } from '../sign-in/check-password.ts';
import { checkNewPassword } from '../sign-in/password-policy.ts';
import { checkStrictChange, checkStrictCreate, isStrict } from '../sign-in/strict-roles.ts';
import { findShort } from '../streaming/list-answer.ts';
import { type Produce, StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

/** What creating an admin needs: the first start does it without a call. */
type CreationContext = Pick<Context, 'change' | 'actor' | 'passwords' | 'rules' | 'signal' | 'log'>;

export const adminHandlers = {
  'admins.list': async (context, { page, limit, sort, include, ...filter }) => {
    const withSignIn = include?.includes('sign_in') === true;
    const isPlain = !withSignIn && Object.values(filter).every((value) => value === undefined);
    const wanted = { sort, offset: (page - 1) * limit, limit };
    const find = (db: Database) => findAdminPage(db, { ...wanted, ...filter, withSignIn });
    const produce: Produce = async (write, { onNext, onVersion }) => {
      const { version, admins, total } = isPlain
        ? await selectAdminPage(context.db, wanted)
        : await findShort(context, filter.q, find);
      const totalPages = Math.ceil(total / limit);
      onVersion?.(version);
      onNext?.(page < totalPages ? { page: String(page + 1) } : null);
      const pagination = JSON.stringify({ page, limit, total, totalPages });
      await write(`{"admins":${admins},"pagination":${pagination}}`);
    };
    const read = () => selectVersion(context.db, adminPageTables);
    // Sign-ins have no version.
    return new StreamedJson(produce, withSignIn ? undefined : { read, comesWithAnswer: true });
  },

  'admins.create': async (context: CreationContext, { email, password, username, role }) => {
    const { change, actor, passwords } = context;
    const strict = isStrict(context);
    const admin = {
      id: newId('admin', 6),
      email,
      username: username ?? toUsername(email.split('@', 1)[0] ?? ''),
      role: toRole(role),
    };
    if (strict) checkStrictCreate(actor, admin.role);
    await checkNewPassword(context, password, email);
    // The row comes first: a call that loses the race for an e-mail fails before the costly hash.
    await change(async (tx, record) => {
      if (!(await insertAdmin(tx, admin))) refuse(adminErrors.emailTaken);
      await updateAdminFields(tx, admin.id, { password_hash: await passwords.hash(password) });
      const { id, ...fields } = admin;
      record({ event: 'admin.created', id, after: { ...fields, is_active: 1 } });
    });
    return { success: true, admin };
  },

  'admins.update': async (context, { id, password, current_password: current, expected, ...fields }) => {
    const { db, change, actor, passwords } = context;
    const strict = isStrict(context);
    if (strict) await checkOwnChange(context, id, { email: fields.email, password }, current);
    // Checked before the costly hash, which would delay sign-ins for nothing.
    const email = password === undefined ? null : await selectEmail(db, id);
    if (password !== undefined && email === null) {
      checkExpected('admin', expected, null);
      await refuseTakenEmail(db, fields.email);
      return;
    }
    const update = { email: fields.email, role: fields.role, password };
    const strictChange = { removes: update.role !== undefined && update.role !== 'superadmin', update };
    if (strict && password !== undefined) {
      await db.transaction((tx) => checkStrictChange(tx, actor, id, strictChange));
    }
    if (password !== undefined) await checkNewPassword(context, password, fields.email ?? email ?? '');
    const secret = password === undefined ? {} : { password_hash: await passwords.hash(password) };
    await change(async (tx, record) => {
      if (fields.email !== undefined) await lockAdminEmails(tx);
      if (strict) await checkStrictChange(tx, actor, id, strictChange);
      if (expected !== undefined) checkExpected('admin', expected, await lockAdmin(tx, id));
      if (actor.sessionKey !== undefined && actor.admin?.id === id) await keepSession(tx, actor.sessionKey);
      const updated = updateAdminFields(tx, id, { ...fields, ...secret });
      const before = await unlessTaken(updated, adminEmailConstraint, adminErrors.emailTaken);
      // The constraint knows one form only.
      if (fields.email !== before?.email) await refuseTakenEmail(tx, fields.email, id);
      if (before === null) return;
      const passwordChange = password === undefined ? {} : ({ password: 'changed' } as const);
      const after = { ...before, ...definedOnly(fields), ...passwordChange };
      const changes = changesOfAccount(before, fields, password !== undefined);
      await sendAccountNotice(context, tx, before.email, changes);
      record({ event: 'admin.updated', id, before, after });
    });
  },

  'admins.delete': async (context, { id }) => {
    const { change, actor } = context;
    const strict = isStrict(context);
    await change(async (tx, record) => {
      if (strict) await checkStrictChange(tx, actor, id, { removes: true });
      const target = await deleteAdminUnless(tx, id, actor.admin?.email ?? null);
      if (target === null) return;
      const { kept, ...before } = target;
      if (kept) refuse(adminErrors.ownAccount);
      await sendAccountNotice(context, tx, before.email, ['the account was deleted']);
      record({ event: 'admin.deleted', id, before });
    });
  },

  'admins.changeActivity': async (context, { id, is_active, expected }) => {
    const { change, actor } = context;
    const strict = isStrict(context);
    if (is_active === 0 && actor.admin?.id === id) refuse(adminErrors.ownActivity);
    await change(async (tx, record) => {
      if (strict) await checkStrictChange(tx, actor, id, { removes: is_active === 0 });
      if (expected !== undefined) checkExpected('admin', expected, await lockAdmin(tx, id));
      const before = await updateAdminActivity(tx, id, is_active);
      if (before === null || before.is_active === is_active) return;
      const what = is_active === 1 ? 'the account was activated' : 'the account was deactivated';
      await sendAccountNotice(context, tx, before.email, [what]);
      record({ event: 'admin.updated', id, before: { is_active: before.is_active }, after: { is_active } });
    });
  },
} satisfies HandlersOf<'admins'>;

/**
 * Requires the current password for a change of one's own e-mail or password. Refuses a token before it checks one, so
 * that the password cannot be guessed with a token.
 */
async function checkOwnChange(
  context: Context,
  id: string,
  { email, password }: { readonly email: string | undefined; readonly password: string | undefined },
  current: string | undefined,
): Promise<void> {
  const { admin, token } = context.actor;
  if (admin === null || admin.id !== id) return;
  if (password === undefined && (email === undefined || email === admin.email)) return;
  if (token !== undefined) refuse(adminErrors.strictToken);
  await checkCurrentPassword(context, admin, current);
}

/** Refuses an e-mail that an admin has. The update of an unknown admin changes nothing, but reports this error too. */
async function refuseTakenEmail(db: Database, email: string | undefined, id?: string): Promise<void> {
  if (await hasEmail(db, email, id)) refuse(adminErrors.emailTaken);
}

function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
