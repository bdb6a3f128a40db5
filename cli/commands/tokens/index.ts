import { Command } from 'commander';
import { createTokenCommand } from './create.ts';
import { listTokensCommand } from './list.ts';
import { revokeTokenCommand } from './revoke.ts';

/** `backoffice tokens`: bearer tokens for scripts. They are made on the database itself, never through a server. */
export function tokensCommand(): Command {
  const command = new Command('tokens').description('manage the API tokens of scripts');
  const verbs = [listTokensCommand(), createTokenCommand(), revokeTokenCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
