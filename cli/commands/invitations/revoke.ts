import { Command } from 'commander';
import { storedEmail } from '../../../src/contract/schemas/stored-email.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

/** `backoffice invitations revoke`. */
export function revokeInvitationCommand(): Command {
  const command = new Command('revoke')
    .description('revoke an invitation, whose link then stops working')
    .argument('<invitation>', 'the e-mail or ID of the invitation')
    .addHelpText('after', '\nExample:\n  backoffice invitations revoke grace@example.com');
  return runs(withFormats(command), 'invitations.revoke').action(async (wanted: string, format: Format) => {
    await withAccess(command, async (access) => {
      const { invitations } = await access.call('invitations.list');
      const found = invitations.find(
        ({ id, email }) => String(id) === wanted || storedEmail(email) === storedEmail(wanted),
      );
      if (found === undefined) {
        throw new NotFoundError(
          `No open invitation ${wanted}. Run \`backoffice invitations list\` to see all.`,
        );
      }
      const done = await access.call('invitations.revoke', { id: found.id });
      await emitChange(done, format, () => print(`Revoked the invitation of ${found.email}.`));
    });
  });
}
