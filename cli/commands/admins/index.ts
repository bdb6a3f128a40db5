import { Command } from 'commander';
import { activateAdminCommand } from './activate.ts';
import { createAdminCommand } from './create.ts';
import { deactivateAdminCommand } from './deactivate.ts';
import { deleteAdminCommand } from './delete.ts';
import { adminFactorsCommand } from './factors.ts';
import { inviteAdminCommand } from './invite.ts';
import { listAdminsCommand } from './list.ts';
import { resetAdminFactorsCommand } from './reset-factors.ts';
import { resetLinkCommand } from './reset-link.ts';
import { resetAdminPasswordCommand } from './reset-password.ts';
import { updateAdminCommand } from './update.ts';

/** `backoffice admins`: the accounts of the back office. */
export function adminsCommand(): Command {
  const command = new Command('admins');
  const verbs = [
    listAdminsCommand(),
    createAdminCommand(),
    inviteAdminCommand(),
    updateAdminCommand(),
    deleteAdminCommand(),
    activateAdminCommand(),
    deactivateAdminCommand(),
    resetAdminPasswordCommand(),
    resetLinkCommand(),
    adminFactorsCommand(),
    resetAdminFactorsCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
