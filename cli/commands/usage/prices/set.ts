import { Command, InvalidArgumentError } from 'commander';
import { withPrice } from '../../../../src/contract/known-settings/edit-token-settings.ts';
import { isPrice, pricesKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { editSetting } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emitChange, type Format, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { print } from '../../../terminal.ts';

interface PriceOptions extends Format {
  readonly input: string;
  readonly output: string;
  readonly cachedInput?: string;
}

/** `backoffice usage prices set`. */
export function setPriceCommand(): Command {
  const command = new Command('set')
    .description('set the price of a model per million tokens; it applies to the whole month')
    .argument('<model>', 'the name of the model, as in its records')
    .requiredOption('--input <price>', 'the price of input tokens: 0.15', price)
    .requiredOption('--output <price>', 'the price of output tokens: 0.60', price)
    .option(
      '--cached-input <price>',
      'the price of cached input tokens; by default, the same as --input',
      price,
    )
    .addHelpText(
      'after',
      '\nExample:\n  backoffice usage prices set small-1 --input 0.15 --output 0.60 --cached-input 0.075',
    );
  return runs(withFormats(command), 'settings.show', 'settings.update').action(
    async (model: string, { input, output, cachedInput, ...format }: PriceOptions) => {
      const cached = cachedInput === undefined ? {} : { cached_input: cachedInput };
      await withAccess(command, (access) =>
        editSetting(access, pricesKey, (stored) => withPrice(stored, model, { input, output, ...cached })),
      );
      const set = { model, input, output, cached_input: cachedInput ?? input };
      await emitChange(set, format, () => print(`Set the price of ${printable(model)}.`));
    },
  );
}

function price(text: string): string {
  if (isPrice(text)) return text;
  throw new InvalidArgumentError('Must be a decimal number of at least 0, such as 0.15.');
}
