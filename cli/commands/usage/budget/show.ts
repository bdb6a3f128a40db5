import { Command } from 'commander';
import { budgetsKey, readBudgets } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { readSettings } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emitList, type Format } from '../../../output/emit.ts';
import type { Column } from '../../../output/table.ts';
import { printable } from '../../../output/text.ts';
import { withTable } from '../../../shown/with-table.ts';
import { remark } from '../../../terminal.ts';
import { budgetName } from './model.ts';

interface Budget {
  /** Null for all models together. */
  readonly model: string | null;
  readonly limit: string;
}

const list = { name: 'budgets', id: 'model', fields: () => ['model', 'limit'] };

const columns: readonly Column<Budget>[] = [
  { heading: 'of', field: 'model', value: ({ model }) => budgetName(model), cut: true },
  { heading: 'a month', field: 'limit', value: ({ limit }) => limit, align: 'right' },
];

/** `backoffice usage budget show`. */
export function showBudgetsCommand(): Command {
  const command = new Command('show').description('show the monthly budgets');
  return runs(withTable(command, list, { page: 'usage' }), 'settings.show').action(async (format: Format) => {
    const { value, problems } = readBudgets(await withAccess(command, readSettings));
    const budgets: Budget[] = [
      ...(value.total === undefined ? [] : [{ model: null, limit: value.total }]),
      ...[...value.models].map(([model, limit]) => ({ model, limit })),
    ];
    for (const problem of problems) remark(printable(problem));
    const none =
      problems.length > 0
        ? `The budgets are unreadable. Run \`backoffice settings set ${budgetsKey}\` to correct them.`
        : 'No budgets. Run `backoffice usage budget set` to add one.';
    await emitList({ budgets }, format, list, columns, { none });
  });
}
