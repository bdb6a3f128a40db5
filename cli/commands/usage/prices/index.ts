import { Command } from 'commander';
import { listPricesCommand } from './list.ts';
import { removePriceCommand } from './remove.ts';
import { setPriceCommand } from './set.ts';

/** `backoffice usage prices`: what the models cost, kept in the setting `token_prices`. */
export function usagePricesCommand(): Command {
  const command = new Command('prices').description('see and set what the tokens of each model cost');
  const verbs = [listPricesCommand(), setPriceCommand(), removePriceCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
