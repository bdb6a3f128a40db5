import { Command } from 'commander';
import { listInvitationsCommand } from './list.ts';
import { revokeInvitationCommand } from './revoke.ts';

/** `backoffice invitations`: the links that create an account each. `admins invite` makes them. */
export function invitationsCommand(): Command {
  const command = new Command('invitations').addHelpText(
    'after',
    '\nExample:\n  backoffice invitations list',
  );
  const verbs = [listInvitationsCommand(), revokeInvitationCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
