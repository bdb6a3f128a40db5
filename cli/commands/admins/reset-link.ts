import { Command } from 'commander';
import { withServices } from '../../access/database.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print, remark } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins reset-link`. */
export function resetLinkCommand(): Command {
  const command = new Command('reset-link')
    .description('print a link with which an admin sets a new password')
    .addArgument(adminArgument())
    .addHelpText(
      'after',
      `
The link works once, for 30 minutes. The admin gets a notice by mail.

Example:
  backoffice admins reset-link grace@example.com`,
    );
  return withFormats(command).action(async (admin: string, format: Format) => {
    const { createResetLink } = await import('../../../src/services/sign-in/password-resets.ts');
    const { localAccess, operatorName } = await import('../../access/local.ts');
    const { link, email } = await withServices(command, async (services) => {
      const found = await findAdmin(localAccess(services), admin);
      const made = await createResetLink(services, found, operatorName());
      return { link: made, email: found.email };
    });
    await emitChange({ link }, format, () => {
      remark(`Pass on this link to ${email}. It works once, for 30 minutes:`);
      print(link);
    });
  });
}
