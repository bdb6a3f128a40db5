import { Command } from 'commander';
import { entriesOf, withoutPrice } from '../../../../src/contract/known-settings/edit-token-settings.ts';
import { pricesKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { editSetting, readSettings } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { NotFoundError } from '../../../errors.ts';
import { confirm } from '../../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { print } from '../../../terminal.ts';

/** `backoffice usage prices remove`. */
export function removePriceCommand(): Command {
  const command = new Command('remove')
    .description('remove all prices of a model; its cost is then unknown')
    .argument('<model>', 'the name of the model')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice usage prices remove small-1');
  return runs(withFormats(command), 'settings.show', 'settings.update').action(
    async (model: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { [pricesKey]: stored } = await readSettings(access);
        const entries = entriesOf(stored);
        if (entries !== undefined && !Object.hasOwn(entries, model)) {
          throw new NotFoundError(`No price for ${model}. Run \`backoffice usage prices list\` to see all.`);
        }
        await confirm(`Remove the price of ${model}?`, yes);
        await editSetting(access, pricesKey, (text) => withoutPrice(text, model));
      });
      await emitChange({ success: true }, format, () => print(`Removed the price of ${printable(model)}.`));
    },
  );
}
