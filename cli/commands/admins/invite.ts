import { Command } from 'commander';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { oneWord } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print, remark } from '../../terminal.ts';

/** `backoffice admins invite`. */
export function inviteAdminCommand(): Command {
  const command = new Command('invite')
    .description(
      'invite someone to create an account; sends a link by mail, or prints it without a mail server',
    )
    .argument('<email>', 'the e-mail of the new admin')
    .addOption(oneWord('--role <role>', `the role: ${rolesHelp}`, roles).default('admin'))
    .addHelpText('after', '\nExample:\n  backoffice admins invite grace@example.com --role user');
  return runs(withFormats(command), 'invitations.create').action(
    async (email: string, { role, ...format }: Format & { role: Role }) => {
      const created = await withAccess(command, (access) =>
        access.call('invitations.create', { email, role }),
      );
      const { invitation, link } = created;
      await emitChange(created, format, () => {
        const until = invitation.expires_at.slice(0, 10);
        if (link === null)
          return print(`Invited ${invitation.email} as ${role}. The link works until ${until}.`);
        remark(
          `Invited ${invitation.email} as ${role}. SMTP_URL is not set, so no mail was sent. Pass on this link, which works once, until ${until}:`,
        );
        print(link);
      });
    },
  );
}
