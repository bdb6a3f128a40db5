import { Command } from 'commander';
import { listPricesCommand } from './list.ts';
import { removePriceCommand } from './remove.ts';
import { setPriceCommand } from './set.ts';

/** `backoffice usage prices`: the prices of models, stored in the setting `token_prices`. */
export function usagePricesCommand(): Command {
  const command = new Command('prices').description('see and set the token prices of each model');
  const verbs = [listPricesCommand(), setPriceCommand(), removePriceCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
