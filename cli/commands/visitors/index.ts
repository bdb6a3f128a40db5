import { Command } from 'commander';
import { eraseVisitorCommand } from './erase.ts';
import { exportVisitorCommand } from './export.ts';

/** `backoffice visitors`: the data of the people who write. */
export function visitorsCommand(): Command {
  const command = new Command('visitors').description("export or erase a visitor's data");
  for (const verb of [exportVisitorCommand(), eraseVisitorCommand()]) command.addCommand(verb);
  return command;
}
