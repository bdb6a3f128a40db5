import { Command } from 'commander';
import { listSessionsCommand } from './list.ts';
import { revokeSessionsCommand } from './revoke.ts';

/** `backoffice sessions`: the sign-in sessions of admins. */
export function sessionsCommand(): Command {
  const command = new Command('sessions');
  const verbs = [listSessionsCommand(), revokeSessionsCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
