import { Command, InvalidArgumentError } from 'commander';
import { budgetsKey, isBudget } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { editSetting } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emitChange, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { print } from '../../../terminal.ts';
import { type BudgetOptions, budgetName, changeBudget } from './model.ts';

/** `backoffice usage budget set`. */
export function setBudgetCommand(): Command {
  const command = new Command('set')
    .description('set the monthly budget for all models together, or for one model')
    .argument('<amount>', 'an amount in the currency of the setting `currency`: 50.00', amount)
    .option('--model <model>', 'only for this model')
    .addHelpText(
      'after',
      `
Alerts fire at 50, 80 and 100 % of a budget, and when the cost is expected to exceed it by the end of the month.

Examples:
  backoffice usage budget set 50.00
  backoffice usage budget set 10.00 --model large-1`,
    );
  return runs(withFormats(command), 'settings.show', 'settings.update').action(
    async (limit: string, { model, ...format }: BudgetOptions) => {
      await withAccess(command, (access) => editSetting(access, budgetsKey, changeBudget(model, limit)));
      await emitChange({ model: model ?? null, limit }, format, () =>
        print(`Set the budget for ${printable(budgetName(model))} to ${limit} a month.`),
      );
    },
  );
}

function amount(text: string): string {
  if (isBudget(text)) return text;
  throw new InvalidArgumentError('Must be an amount above 0 with at most two decimals, such as 50.00.');
}
