import { Command } from 'commander';
import { pricesKey, readPrices } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { readSettings } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emitList, type Format } from '../../../output/emit.ts';
import type { Column } from '../../../output/table.ts';
import { printable } from '../../../output/text.ts';
import { withTable } from '../../../shown/with-table.ts';
import { remark } from '../../../terminal.ts';

interface ShownPrice {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly cached_input: string;
  /** Null from the beginning. */
  readonly since: string | null;
}

const list = {
  name: 'prices',
  id: 'model',
  fields: () => ['model', 'input', 'output', 'cached_input', 'since'],
};

const columns: readonly Column<ShownPrice>[] = [
  { heading: 'model', value: ({ model }) => model, cut: true },
  { heading: 'input', value: ({ input }) => input, align: 'right' },
  { heading: 'cached input', value: ({ cached_input }) => cached_input, align: 'right' },
  { heading: 'output', value: ({ output }) => output, align: 'right' },
  { heading: 'since', value: ({ since }) => since ?? '' },
];

/** `backoffice usage prices list`. */
export function listPricesCommand(): Command {
  const command = new Command('list').description(
    'list the prices per million tokens, each with the month from which it holds',
  );
  return runs(withTable(command, list, { page: 'usage' }), 'settings.show').action(async (format: Format) => {
    const { value, problems } = readPrices(await withAccess(command, readSettings));
    const prices = [...value].flatMap(([model, ofModel]) =>
      ofModel.map(
        ({ input, output, cached_input = input, since = null }): ShownPrice => ({
          ...{ model, input, output, cached_input, since },
        }),
      ),
    );
    for (const problem of problems) remark(printable(problem));
    const none =
      problems.length > 0
        ? `The prices are unreadable. Run \`backoffice settings set ${pricesKey}\` to correct them.`
        : 'No prices. Run `backoffice usage prices set` to add one.';
    await emitList({ prices }, format, list, columns, { none });
  });
}
