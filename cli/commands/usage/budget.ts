import { Command, InvalidArgumentError } from 'commander';
import {
  entriesOf,
  withModelBudget,
  withTotalBudget,
} from '../../../src/contract/known-settings/edit-token-settings.ts';
import { budgetsKey, isBudget, readBudgets } from '../../../src/contract/known-settings/token-settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { confirm } from '../../prompts.ts';
import { print, remark } from '../../terminal.ts';
import { editSetting, readSettings } from '../../token-settings.ts';

/** `backoffice usage budget`: what may be spent in a month, kept in the setting `token_budgets`. */
export function usageBudgetCommand(): Command {
  const command = new Command('budget').description('see and set what may be spent in a month');
  for (const verb of [show(), set(), remove()]) command.addCommand(verb);
  return command;
}

interface Budget {
  /** Null for all models together. */
  readonly model: string | null;
  readonly limit: string;
}

const nameOf = (model: string | null | undefined) => model ?? 'all models';

function show(): Command {
  const command = new Command('show').description('show the budgets of a month');
  return withFormats(command).action(async (format: Format) => {
    const { value, problems } = readBudgets(await withAccess(command, readSettings));
    const budgets: Budget[] = [
      ...(value.total === undefined ? [] : [{ model: null, limit: value.total }]),
      ...[...value.models].map(([model, limit]) => ({ model, limit })),
    ];
    for (const problem of problems) remark(problem);
    await emit({ budgets }, format, 'budgets', async () => {
      if (budgets.length === 0) return remark('There is no budget: backoffice usage budget set.');
      await emitTable<Budget>(
        [
          { heading: 'of', value: ({ model }) => nameOf(model), cut: true },
          { heading: 'a month', value: ({ limit }) => limit, align: 'right' },
        ],
        budgets,
      );
    });
  });
}

interface BudgetOptions extends Format {
  readonly model?: string;
}

/** The stored text with another budget. */
function changed(model: string | undefined, limit: string | undefined) {
  return (stored: string | undefined) =>
    model === undefined ? withTotalBudget(stored, limit) : withModelBudget(stored, model, limit);
}

function set(): Command {
  const command = new Command('set')
    .description('set what all models together, or one of them, may cost in a month')
    .argument('<amount>', 'in the currency of the setting currency: 50.00', amount)
    .option('--model <model>', 'only for this model')
    .addHelpText(
      'after',
      `
Alerts fire at 50, 80 and 100 % of a budget, and where the cost will exceed it by the end of the month.

Examples:
  backoffice usage budget set 50.00
  backoffice usage budget set 10.00 --model large-1`,
    );
  return withFormats(command).action(async (limit: string, { model, ...format }: BudgetOptions) => {
    await withAccess(command, (access) => editSetting(access, budgetsKey, changed(model, limit)));
    await emitChange({ model: model ?? null, limit }, format, () =>
      print(`Set the budget of ${printable(nameOf(model))} to ${limit} a month.`),
    );
  });
}

function remove(): Command {
  const command = new Command('remove')
    .description('remove the budget of all models together, or of one of them')
    .option('--model <model>', 'only that of this model')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice usage budget remove --model large-1');
  return withFormats(command).action(async ({ model, yes, ...format }: BudgetOptions & { yes?: boolean }) => {
    await withAccess(command, async (access) => {
      const { [budgetsKey]: stored } = await readSettings(access);
      if (entriesOf(stored) !== undefined && !has(stored, model)) {
        throw new NotFoundError(`There is no budget of ${nameOf(model)}: see backoffice usage budget show.`);
      }
      await confirm(`Remove the budget of ${nameOf(model)}?`, yes);
      await editSetting(access, budgetsKey, changed(model, undefined));
    });
    await emitChange({ success: true }, format, () =>
      print(`Removed the budget of ${printable(nameOf(model))}.`),
    );
  });
}

/** Whether there is something to remove, be it a right budget or not. */
function has(stored: string | undefined, model: string | undefined): boolean {
  const { total, models } = entriesOf(stored) ?? {};
  if (model === undefined) return total !== undefined;
  return typeof models === 'object' && models !== null && Object.hasOwn(models, model);
}

function amount(text: string): string {
  if (isBudget(text)) return text;
  throw new InvalidArgumentError('It takes an amount above 0 with at most two decimals, such as 50.00.');
}
