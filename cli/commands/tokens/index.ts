import { Command } from 'commander';
import { createTokenCommand } from './create.ts';
import { listTokensCommand } from './list.ts';
import { revokeTokenCommand } from './revoke.ts';

/** `backoffice tokens`: bearer tokens for scripts. */
export function tokensCommand(): Command {
  const command = new Command('tokens');
  const verbs = [listTokensCommand(), createTokenCommand(), revokeTokenCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
