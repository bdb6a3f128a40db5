import { Command } from 'commander';
import { entriesOf } from '../../../../src/contract/known-settings/edit-token-settings.ts';
import { budgetsKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { editSetting, readSettings } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { NotFoundError } from '../../../errors.ts';
import { confirm } from '../../../input/prompts.ts';
import { emitChange, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { print } from '../../../terminal.ts';
import { type BudgetOptions, budgetName, changeBudget } from './model.ts';

/** `backoffice usage budget remove`. */
export function removeBudgetCommand(): Command {
  const command = new Command('remove')
    .description('remove the budget of all models together, or of one of them')
    .option('--model <model>', 'only that of this model')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice usage budget remove --model large-1');
  return withFormats(command).action(async ({ model, yes, ...format }: BudgetOptions & { yes?: boolean }) => {
    await withAccess(command, async (access) => {
      const { [budgetsKey]: stored } = await readSettings(access);
      if (entriesOf(stored) !== undefined && !has(stored, model)) {
        throw new NotFoundError(
          `There is no budget of ${budgetName(model)}: see backoffice usage budget show.`,
        );
      }
      await confirm(`Remove the budget of ${budgetName(model)}?`, yes);
      await editSetting(access, budgetsKey, changeBudget(model, undefined));
    });
    await emitChange({ success: true }, format, () =>
      print(`Removed the budget of ${printable(budgetName(model))}.`),
    );
  });
}

/** Whether there is something to remove, be it a right budget or not. */
function has(stored: string | undefined, model: string | undefined): boolean {
  const { total, models } = entriesOf(stored) ?? {};
  if (model === undefined) return total !== undefined;
  return typeof models === 'object' && models !== null && Object.hasOwn(models, model);
}
