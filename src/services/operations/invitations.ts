import { unauthorized } from '../../contract/errors.ts';
import { adminErrors } from '../../contract/operations/admins.ts';
import { invitationErrors, maxInvitations } from '../../contract/operations/invitations.ts';
import { toUsername } from '../../contract/schemas/admins.ts';
import { storedEmail } from '../../contract/schemas/stored-email.ts';
import { hasEmail, insertAdmin, updateAdminFields } from '../../db/tables/accounts/admins.ts';
import {
  deleteInvitation,
  hasInvitations,
  keepInviter,
  lockInvitationRole,
  replaceInvitation,
  selectInvitation,
  selectInvitations,
  takeInvitation,
} from '../../db/tables/accounts/invitations.ts';
import { asAdmin } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import { dueFactor } from '../factors/due.ts';
import { siteOf } from '../factors/passkeys.ts';
import { newId } from '../ids.ts';
import { invitationMail } from '../mail/templates.ts';
import { checkNewPassword } from '../sign-in/password-policy.ts';
import { checkStrictCreate, isStrict } from '../sign-in/strict-roles.ts';
import { hashToken, linkPath, newToken } from '../sign-in/tokens.ts';
import type { HandlersOf } from './handler-types.ts';
import { limitOf, startSession } from './session.ts';

const days = 7;

export const invitationHandlers = {
  'invitations.list': async ({ db, rules: { strictRoles } }) => ({
    invitations: await selectInvitations(db, strictRoles),
  }),

  'invitations.create': async (context, { email, role }) => {
    const { change, actor, mail } = context;
    if (isStrict(context)) checkStrictCreate(actor, role);
    const { token, tokenHash } = newToken();
    const link = urlFor(context, linkPath('/invitation', { token, email }));
    const invitedBy = actor.name;
    const inviterId = actor.admin?.id ?? null;
    const invitation = await change(async (tx, record) => {
      if (inviterId !== null && !(await keepInviter(tx, inviterId))) refuse(unauthorized);
      if (await hasEmail(tx, email)) refuse(adminErrors.emailTaken);
      checkStrictInvitation(context, await lockInvitationRole(tx, email));
      const created = await replaceInvitation(tx, { email, role, tokenHash, invitedBy, inviterId, days });
      if (await hasInvitations(tx, maxInvitations + 1)) refuse(invitationErrors.tooMany);
      const { id, expires_at } = created;
      const template = invitationMail({ role, link, invitedBy, expiresAt: new Date(expires_at) });
      if (mail.isConfigured) await mail.send(tx, email, template);
      record({ event: 'invitation.created', id, after: { email, role, expires_at } });
      return created;
    });
    return { success: true, invitation, link: mail.isConfigured ? null : link };
  },

  'invitations.revoke': (context, { id }) =>
    context.change(async (tx, record) => {
      const revoked = await deleteInvitation(tx, id);
      if (revoked === null) return;
      const { email, role } = revoked;
      checkStrictInvitation(context, role);
      record({ event: 'invitation.revoked', id: revoked.id, before: { email, role } });
    }),

  'invitations.accept': async (context, { token, password, username }) => {
    const { db, change, actor, passwords } = context;
    const { strictRoles } = context.rules;
    const tokenHash = hashToken(token);
    // Checked before the costly hash, which would delay sign-ins for nothing.
    const found = (await selectInvitation(db, tokenHash, strictRoles)) ?? refuse(invitationErrors.unknown);
    const { role } = found;
    const email = storedEmail(found.email);
    if (await hasEmail(db, email)) refuse(adminErrors.emailTaken);
    await checkNewPassword(context, password, email);
    const hash = await passwords.hash(password);
    const admin = {
      id: newId('admin', 6),
      email,
      username: username || toUsername(email.split('@', 1)[0] ?? ''),
      role,
    };
    const limit = await change(
      async (tx, record) => {
        // It may have been used, revoked or replaced meanwhile.
        const taken = (await takeInvitation(tx, tokenHash, strictRoles)) ?? refuse(invitationErrors.unknown);
        if (!(await insertAdmin(tx, admin))) refuse(adminErrors.emailTaken);
        await updateAdminFields(tx, admin.id, { password_hash: hash });
        const { id, ...fields } = admin;
        record({ event: 'invitation.accepted', id: taken.id, after: { email, role, admin_id: id } });
        record({ event: 'admin.created', id, after: { ...fields, is_active: 1 } });
        const { step } = await dueFactor(tx, admin, siteOf(context), context.mail);
        // The link may have been passed on by hand, so it is no second factor.
        if (step === 'factor') return { signed_in: false };
        const isEnrolling = step === 'enrolment';
        await startSession(context, tx, record, { id, passwordHash: hash, isEnrolling });
        return { signed_in: true, ...limitOf(isEnrolling) };
      },
      asAdmin(actor, admin.id, email),
    );
    return { success: true, admin, ...limit };
  },
} satisfies HandlersOf<'invitations'>;

/**
 * Returns the URL of a page for the link in an invitation. Unless the operator has set the public URL, it is the address at
 * which its sender uses the dashboard: only who is signed in in a browser can make the service see another one.
 */
function urlFor({ site, actor, baseUrl, mail }: Context, path: string): string {
  const isGuess = site.publicUrl === undefined && actor.sessionKey !== undefined && baseUrl !== '';
  return isGuess ? baseUrl + path : mail.urlOf(path);
}

/** @throws BackofficeError with strict roles, if anyone but a superadmin changes the invitation of a superadmin */
function checkStrictInvitation(context: Context, role: string | null): void {
  if (isStrict(context) && role === 'superadmin' && context.actor.role !== 'superadmin') {
    refuse(invitationErrors.strictSuperadmin);
  }
}
