import { Command } from 'commander';
import { removeBudgetCommand } from './remove.ts';
import { setBudgetCommand } from './set.ts';
import { showBudgetsCommand } from './show.ts';

/** `backoffice usage budget`: monthly budgets, stored in the setting `token_budgets`. */
export function usageBudgetCommand(): Command {
  const command = new Command('budget').description('see and set the monthly budgets');
  const verbs = [showBudgetsCommand(), setBudgetCommand(), removeBudgetCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
