import { Command } from 'commander';
import { deleteContextCommand } from './delete.ts';
import { editContextCommand } from './edit.ts';
import { listContextsCommand } from './list.ts';
import { useContextCommand } from './use.ts';

/** `backoffice context`: the servers that somebody has signed in to. */
export function contextCommand(): Command {
  const command = new Command('context');
  const verbs = [listContextsCommand(), useContextCommand(), editContextCommand(), deleteContextCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
