import { Command } from 'commander';
import { entriesOf } from '../../../../src/contract/known-settings/edit-token-settings.ts';
import { budgetsKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { isRecord } from '../../../../src/shared/is-record.ts';
import { runs } from '../../../access/operations.ts';
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
    .description('remove the monthly budget for all models together, or for one model')
    .option('--model <model>', 'only for this model')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice usage budget remove --model large-1');
  return runs(withFormats(command), 'settings.show', 'settings.update').action(
    async ({ model, yes, ...format }: BudgetOptions & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { [budgetsKey]: stored } = await readSettings(access);
        if (entriesOf(stored) !== undefined && !has(stored, model)) {
          throw new NotFoundError(
            `No budget for ${budgetName(model)}. Run \`backoffice usage budget show\` to see all.`,
          );
        }
        await confirm(`Remove the budget for ${budgetName(model)}?`, yes);
        await editSetting(access, budgetsKey, changeBudget(model, undefined));
      });
      await emitChange({ success: true }, format, () =>
        print(`Removed the budget for ${printable(budgetName(model))}.`),
      );
    },
  );
}

/** Reports whether there is a budget to remove, valid or not. */
function has(stored: string | undefined, model: string | undefined): boolean {
  const { total, models } = entriesOf(stored) ?? {};
  if (model === undefined) return total !== undefined;
  return isRecord(models) && Object.hasOwn(models, model);
}
