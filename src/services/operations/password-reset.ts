import { noEncryptionKey } from '../../contract/errors.ts';
import { passwordResetErrors } from '../../contract/operations/password-reset.ts';
import { insertResetJob } from '../../db/job-queue/jobs.ts';
import { lockAdmin, updateAdminFields } from '../../db/tables/accounts/admins.ts';
import { selectResetAccount, takePasswordReset } from '../../db/tables/accounts/passwords.ts';
import { asAdmin } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import { sendAccountNotice } from '../mail/templates.ts';
import { checkNewPassword } from '../sign-in/password-policy.ts';
import { allowsReset } from '../sign-in/password-resets.ts';
import { hashToken } from '../sign-in/tokens.ts';
import type { HandlersOf } from './handler-types.ts';

export const passwordResetHandlers = {
  /** Does the same for every e-mail, so that neither the answer nor its time tells whether it has an account. */
  'passwordReset.create': async ({ db, mail, secretBox, address, log }, { email }) => {
    if (!mail.isConfigured) refuse(passwordResetErrors.noMail);
    // The mail with the link would fail in the background.
    if (secretBox.keyId === undefined) refuse(noEncryptionKey);
    if (await allowsReset(db, email, address)) await insertResetJob(db, { email, address });
    else log.warn({ address }, 'too many requests for a new password: no link sent');
  },

  'passwordReset.confirm': async (context, { token, password }) => {
    const { db, change, actor, passwords } = context;
    const tokenHash = hashToken(token);
    // Checked before the costly hash, which would delay sign-ins for nothing.
    const account = (await selectResetAccount(db, tokenHash)) ?? refuse(passwordResetErrors.unknown);
    const { id, email } = account;
    await checkNewPassword(context, password, email);
    const hash = await passwords.hash(password);
    const owner = asAdmin(actor, id, email);
    await change(async (tx, record) => {
      const before = await lockAdmin(tx, id);
      if (before === null || !(await takePasswordReset(tx, tokenHash))) refuse(passwordResetErrors.unknown);
      // A trigger ends the sessions of the account, and its other links.
      await updateAdminFields(tx, id, { password_hash: hash });
      const changes = ['the password was reset with a link'];
      await sendAccountNotice({ ...context, actor: owner }, tx, before.email, changes);
      record({ event: 'admin.updated', id, before: {}, after: { password: 'changed' } });
    }, owner);
  },
} satisfies HandlersOf<'passwordReset'>;
