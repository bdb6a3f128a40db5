import { Command, InvalidArgumentError } from 'commander';
import { entriesOf, withPrice } from '../../../src/contract/known-settings/edit-token-settings.ts';
import { isPrice, pricesKey, readPrices } from '../../../src/contract/known-settings/token-settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { confirm } from '../../prompts.ts';
import { print, remark } from '../../terminal.ts';
import { editSetting, readSettings } from '../../token-settings.ts';

/** `backoffice usage prices`: what the models cost, kept in the setting `token_prices`. */
export function usagePricesCommand(): Command {
  const command = new Command('prices').description('see and set what the tokens of each model cost');
  for (const verb of [list(), set(), remove()]) command.addCommand(verb);
  return command;
}

interface ShownPrice {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly cached_input: string;
}

function list(): Command {
  const command = new Command('list').description('list the prices per million tokens');
  return withFormats(command).action(async (format: Format) => {
    const { value, problems } = readPrices(await withAccess(command, readSettings));
    const prices: ShownPrice[] = [...value].map(([model, { input, output, cached_input }]) => ({
      ...{ model, input, output },
      cached_input: cached_input ?? input,
    }));
    for (const problem of problems) remark(problem);
    await emit({ prices }, format, 'prices', async () => {
      if (prices.length === 0) return remark('No model has a price: backoffice usage prices set.');
      await emitTable<ShownPrice>(
        [
          { heading: 'model', value: ({ model }) => model, cut: true },
          { heading: 'input', value: ({ input }) => input, align: 'right' },
          { heading: 'cached input', value: ({ cached_input }) => cached_input, align: 'right' },
          { heading: 'output', value: ({ output }) => output, align: 'right' },
        ],
        prices,
      );
    });
  });
}

interface PriceOptions extends Format {
  readonly input: string;
  readonly output: string;
  readonly cachedInput?: string;
}

function set(): Command {
  const command = new Command('set')
    .description('set what the tokens of a model cost, per million; the whole month counts with it')
    .argument('<model>', 'the name of the model, as its records have it')
    .requiredOption('--input <price>', 'of the tokens that it reads: 0.15', price)
    .requiredOption('--output <price>', 'of the tokens that it writes: 0.60', price)
    .option('--cached-input <price>', 'of what it reads from its cache; without it, as --input', price)
    .addHelpText(
      'after',
      '\nExample:\n  backoffice usage prices set small-1 --input 0.15 --output 0.60 --cached-input 0.075',
    );
  return withFormats(command).action(
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

function remove(): Command {
  const command = new Command('remove')
    .description('remove the price of a model; what it costs is then unknown')
    .argument('<model>', 'the name of the model')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice usage prices remove small-1');
  return withFormats(command).action(
    async (model: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { [pricesKey]: stored } = await readSettings(access);
        const entries = entriesOf(stored);
        if (entries !== undefined && !Object.hasOwn(entries, model)) {
          throw new NotFoundError(`${model} has no price: see backoffice usage prices list.`);
        }
        await confirm(`Remove the price of ${model}?`, yes);
        await editSetting(access, pricesKey, (text) => withPrice(text, model, undefined));
      });
      await emitChange({ success: true }, format, () => print(`Removed the price of ${printable(model)}.`));
    },
  );
}

function price(text: string): string {
  if (isPrice(text)) return text;
  throw new InvalidArgumentError('It takes a decimal number that is not negative, such as 0.15.');
}
