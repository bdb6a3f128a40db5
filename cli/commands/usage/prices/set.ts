import { Command, InvalidArgumentError } from 'commander';
import { sinceOfNewPrice, withPrice } from '../../../../src/contract/known-settings/edit-token-settings.ts';
import { isPrice, pricesKey } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { editSetting } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { namedMonth, parseMonth } from '../../../input/month.ts';
import { emitChange, type Format, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { print } from '../../../terminal.ts';

interface PriceOptions extends Format {
  readonly input: string;
  readonly output: string;
  readonly cachedInput?: string;
  readonly since?: string;
}

/** `backoffice usage prices set`. */
export function setPriceCommand(): Command {
  const command = new Command('set')
    .description('set the price of a model per million tokens, from a month on')
    .argument('<model>', 'the name of the model, as in its records')
    .requiredOption('--input <price>', 'the price of input tokens: 0.15', price)
    .requiredOption('--output <price>', 'the price of output tokens: 0.60', price)
    .option(
      '--cached-input <price>',
      'the price of cached input tokens; by default, the same as --input',
      price,
    )
    .option(
      '--since <month>',
      'the first month that it holds for: 2026-11, last or current; by default, the current one, or all for the first price of a model',
      parseMonth,
    )
    .addHelpText(
      'after',
      `
Months before keep the price that they have, and so their cost.

Examples:
  backoffice usage prices set small-1 --input 0.15 --output 0.60 --cached-input 0.075
  backoffice usage prices set small-1 --input 0.10 --output 0.40 --since 2026-11`,
    );
  return runs(withFormats(command), 'settings.show', 'settings.update').action(
    async (model: string, { input, output, cachedInput, since: wanted, ...format }: PriceOptions) => {
      let since: string | undefined;
      await withAccess(command, async (access) => {
        const month = await namedMonth(access, 'token-usage', wanted ?? 'current');
        await editSetting(access, pricesKey, (stored) => {
          since = wanted === undefined ? sinceOfNewPrice(stored, model, month) : month;
          return withPrice(stored, model, { input, output, cached_input: cachedInput, since });
        });
      });
      const set = { model, input, output, cached_input: cachedInput ?? input, since: since ?? null };
      const from = since === undefined ? '' : ` from ${since} on`;
      await emitChange(set, format, () => print(`Set the price of ${printable(model)}${from}.`));
    },
  );
}

function price(text: string): string {
  if (isPrice(text)) return text;
  throw new InvalidArgumentError('Must be a decimal number of at least 0, such as 0.15.');
}
