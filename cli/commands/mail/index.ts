import { Command } from 'commander';
import { deliverMailCommand } from './deliver.ts';
import { testMailCommand } from './test.ts';

/** `backoffice mail`: mails of visitors. */
export function mailCommand(): Command {
  const command = new Command('mail');
  for (const verb of [deliverMailCommand(), testMailCommand()]) command.addCommand(verb);
  return command;
}
