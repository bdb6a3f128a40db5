import { Command } from 'commander';
import { listSessionsCommand } from './list.ts';
import { revokeSessionsCommand } from './revoke.ts';

/** `backoffice sessions`: who is signed in. */
export function sessionsCommand(): Command {
  const command = new Command('sessions').description('see who is signed in, and end sessions');
  const verbs = [listSessionsCommand(), revokeSessionsCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
