import { Command } from 'commander';
import { pricesKey, readPrices } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { readSettings } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emit, emitTable, type Format, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { remark } from '../../../terminal.ts';

interface ShownPrice {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly cached_input: string;
}

/** `backoffice usage prices list`. */
export function listPricesCommand(): Command {
  const command = new Command('list').description('list the prices per million tokens');
  return runs(withFormats(command, 'json and csv'), 'settings.show').action(async (format: Format) => {
    const { value, problems } = readPrices(await withAccess(command, readSettings));
    const prices: ShownPrice[] = [...value].map(([model, { input, output, cached_input }]) => ({
      ...{ model, input, output },
      cached_input: cached_input ?? input,
    }));
    for (const problem of problems) remark(printable(problem));
    await emit(
      { prices },
      format,
      { name: 'prices', fields: () => ['model', 'input', 'output', 'cached_input'] },
      async () => {
        if (prices.length === 0 && problems.length > 0)
          return remark(
            `The prices are unreadable. Run \`backoffice settings set ${pricesKey}\` to correct them.`,
          );
        if (prices.length === 0) return remark('No prices. Run `backoffice usage prices set` to add one.');
        await emitTable<ShownPrice>(
          [
            { heading: 'model', value: ({ model }) => model, cut: true },
            { heading: 'input', value: ({ input }) => input, align: 'right' },
            { heading: 'cached input', value: ({ cached_input }) => cached_input, align: 'right' },
            { heading: 'output', value: ({ output }) => output, align: 'right' },
          ],
          prices,
        );
      },
    );
  });
}
