import { Command } from 'commander';
import { removeBudgetCommand } from './remove.ts';
import { setBudgetCommand } from './set.ts';
import { showBudgetsCommand } from './show.ts';

/** `backoffice usage budget`: what may be spent in a month, kept in the setting `token_budgets`. */
export function usageBudgetCommand(): Command {
  const command = new Command('budget').description('see and set what may be spent in a month');
  const verbs = [showBudgetsCommand(), setBudgetCommand(), removeBudgetCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
