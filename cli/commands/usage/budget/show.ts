import { Command } from 'commander';
import { budgetsKey, readBudgets } from '../../../../src/contract/known-settings/token-settings.ts';
import { runs } from '../../../access/operations.ts';
import { readSettings } from '../../../access/settings.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emit, emitTable, type Format, withFormats } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { remark } from '../../../terminal.ts';
import { budgetName } from './model.ts';

interface Budget {
  /** Null for all models together. */
  readonly model: string | null;
  readonly limit: string;
}

/** `backoffice usage budget show`. */
export function showBudgetsCommand(): Command {
  const command = new Command('show').description('show the monthly budgets');
  return runs(withFormats(command, 'json and csv'), 'settings.show').action(async (format: Format) => {
    const { value, problems } = readBudgets(await withAccess(command, readSettings));
    const budgets: Budget[] = [
      ...(value.total === undefined ? [] : [{ model: null, limit: value.total }]),
      ...[...value.models].map(([model, limit]) => ({ model, limit })),
    ];
    for (const problem of problems) remark(printable(problem));
    await emit({ budgets }, format, { name: 'budgets', fields: () => ['model', 'limit'] }, async () => {
      if (budgets.length === 0 && problems.length > 0)
        return remark(
          `The budgets are unreadable. Run \`backoffice settings set ${budgetsKey}\` to correct them.`,
        );
      if (budgets.length === 0) return remark('No budgets. Run `backoffice usage budget set` to add one.');
      await emitTable<Budget>(
        [
          { heading: 'of', value: ({ model }) => budgetName(model), cut: true },
          { heading: 'a month', value: ({ limit }) => limit, align: 'right' },
        ],
        budgets,
      );
    });
  });
}
