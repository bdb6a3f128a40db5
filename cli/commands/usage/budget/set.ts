import { Command, InvalidArgumentError } from 'commander';
import { budgetsKey, isBudget } from '../../../../src/contract/known-settings/token-settings.ts';
import { editSetting } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emitChange, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { print } from '../../../terminal.ts';
import { type BudgetOptions, budgetName, changeBudget } from './model.ts';

/** `backoffice usage budget set`. */
export function setBudgetCommand(): Command {
  const command = new Command('set')
    .description('set what all models together, or one of them, may cost in a month')
    .argument('<amount>', 'in the currency of the setting currency: 50.00', amount)
    .option('--model <model>', 'only for this model')
    .addHelpText(
      'after',
      `
Alerts fire at 50, 80 and 100 % of a budget, and where the cost will exceed it by the end of the month.

Examples:
  backoffice usage budget set 50.00
  backoffice usage budget set 10.00 --model large-1`,
    );
  return withFormats(command).action(async (limit: string, { model, ...format }: BudgetOptions) => {
    await withAccess(command, (access) => editSetting(access, budgetsKey, changeBudget(model, limit)));
    await emitChange({ model: model ?? null, limit }, format, () =>
      print(`Set the budget of ${printable(budgetName(model))} to ${limit} a month.`),
    );
  });
}

function amount(text: string): string {
  if (isBudget(text)) return text;
  throw new InvalidArgumentError('It takes an amount above 0 with at most two decimals, such as 50.00.');
}
