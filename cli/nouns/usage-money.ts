import { InvalidArgumentError } from 'commander';
import {
  entriesOf,
  sinceOfNewPrice,
  withModelBudget,
  withoutPrice,
  withPrice,
  withTotalBudget,
} from '../../src/contract/known-settings/edit-token-settings.ts';
import type { Readout, Settings } from '../../src/contract/known-settings/settings.ts';
import {
  budgetsKey,
  isBudget,
  isPrice,
  pricesKey,
  readBudgets,
  readPrices,
} from '../../src/contract/known-settings/token-settings.ts';
import { isRecord } from '../../src/shared/is-record.ts';
import type { Access } from '../access/access.ts';
import { editSetting, readSettings } from '../access/settings.ts';
import { NotFoundError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { remark } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';
import { emitDone, yes } from '../verb/change.ts';
import { table } from '../verb/list.ts';
import { argument, parsed, required, text } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';
import { namedMonth, parseMonth } from './analytics.ts';

// Prices and budgets are kept in a setting each.

/** Reads what a setting holds, and says what of it cannot be read. `none` is said if it holds nothing. */
async function readKept<Value>(
  access: Access,
  key: string,
  read: (settings: Settings) => Readout<Value>,
  [name, setBy]: readonly [name: string, setBy: string],
) {
  const { value, problems } = read(await readSettings(access));
  for (const problem of problems) remark(printable(problem));
  const none =
    problems.length > 0
      ? `The ${name} are unreadable. Run \`backoffice settings set ${key}\` to correct them.`
      : `No ${name}. Run \`${setBy}\` to add one.`;
  return { value, none };
}

/** Parses a decimal number of some form, which is stored as it is typed. */
const decimal = (isOne: (text: string) => boolean, problem: string) => (text: string) => {
  if (isOne(text)) return text;
  throw new InvalidArgumentError(problem);
};

const modelName = argument(text('the name of the model', 'model'));

interface ShownPrice {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly cached_input: string;
  /** Null from the beginning. */
  readonly since: string | null;
}

const parsePrice = decimal(isPrice, 'Must be a decimal number of at least 0, such as 0.15.');
const price = (about: string) => parsed(about, 'price', parsePrice);

/** What a million tokens of each model cost. */
export const prices = verbs('backoffice usage prices set small-1 --input 0.15 --output 0.60', {
  list: table<ShownPrice>('settings.show', {
    about: 'list the prices per million tokens, each with the month from which it holds',
    rows: {
      name: 'prices',
      id: 'model',
      fields: () => ['model', 'input', 'output', 'cached_input', 'since'],
    },
    columns: [
      { heading: 'model', value: ({ model }) => model, cut: true },
      { heading: 'input', value: ({ input }) => input, align: 'right' },
      { heading: 'cached input', value: ({ cached_input }) => cached_input, align: 'right' },
      { heading: 'output', value: ({ output }) => output, align: 'right' },
      { heading: 'since', value: ({ since }) => since ?? '' },
    ],
    web: { page: 'usage' },
    examples: ['backoffice usage prices list --json'],
    async read({ access }) {
      const names = ['prices', 'backoffice usage prices set'] as const;
      const { value, none } = await readKept(access, pricesKey, readPrices, names);
      const prices = [...value].flatMap(([model, ofModel]) =>
        ofModel.map(({ input, output, cached_input = input, since = null }) => ({
          model,
          input,
          output,
          cached_input,
          since,
        })),
      );
      return { document: { prices }, none };
    },
  }),

  set: calling(['settings.show', 'settings.update'], {
    about: 'set the price of a model per million tokens, from a month on',
    params: {
      model: { ...modelName, about: 'the name of the model, as in its records' },
      input: required(price('the price of input tokens: 0.15')),
      output: required(price('the price of output tokens: 0.60')),
      cachedInput: price('the price of cached input tokens; by default, the same as --input'),
      since: parsed(
        'the first month that it holds for: 2026-11, last or current; by default, the current one, or all for the first price of a model',
        'month',
        parseMonth,
      ),
    },
    notes: 'Months before keep the price that they have, and so their cost.',
    examples: [
      'backoffice usage prices set small-1 --input 0.15 --output 0.60 --cached-input 0.075',
      'backoffice usage prices set small-1 --input 0.10 --output 0.40 --since 2026-11',
    ],
    async run({ given: { model, input, output, cachedInput, since: wanted }, format, access }) {
      const month = await namedMonth(access, 'token-usage', wanted ?? 'current');
      let since: string | undefined;
      await editSetting(access, pricesKey, (stored) => {
        since = wanted === undefined ? sinceOfNewPrice(stored, model, month) : month;
        return withPrice(stored, model, { input, output, cached_input: cachedInput, since });
      });
      const set = { model, input, output, cached_input: cachedInput ?? input, since: since ?? null };
      const from = since === undefined ? '' : ` from ${since} on`;
      await emitDone(set, format, `Set the price of ${model}${from}.`);
    },
  }),

  remove: calling(['settings.show', 'settings.update'], {
    about: 'remove all prices of a model, of every month; its cost is then unknown',
    params: { model: modelName, yes },
    examples: ['backoffice usage prices remove small-1'],
    async run({ given: { model, yes }, format, access }) {
      const entries = entriesOf((await readSettings(access))[pricesKey]);
      if (entries !== undefined && !Object.hasOwn(entries, model))
        throw new NotFoundError(`No price for ${model}. Run \`backoffice usage prices list\` to see all.`);
      const stored = entries?.[model];
      const count = Array.isArray(stored) ? stored.length : 1;
      const what = count > 1 ? `all ${counted(count, 'price')}` : 'the price';
      await confirm(`Remove ${what} of ${model}? Its cost is then unknown, in every month.`, yes);
      await editSetting(access, pricesKey, (text) => withoutPrice(text, model));
      await emitDone({ success: true }, format, `Removed ${what} of ${model}.`);
    },
  }),
});

const amount = parsed(
  'an amount in the currency of the setting `currency`: 50.00',
  'amount',
  decimal(isBudget, 'Must be an amount above 0 with at most two decimals, such as 50.00.'),
);
const budgetModel = text('only for this model', 'model');
const budgetName = (model: string | null | undefined) => model ?? 'all models';

/** Returns a function that sets a budget in the stored text, or removes it. */
const changeBudget = (model: string | undefined, limit: string | undefined) => (stored: string | undefined) =>
  model === undefined ? withTotalBudget(stored, limit) : withModelBudget(stored, model, limit);

/** Reports whether there is a budget to remove, valid or not. */
function hasBudget(stored: string | undefined, model: string | undefined): boolean {
  const { total, models } = entriesOf(stored) ?? {};
  return model === undefined ? total !== undefined : isRecord(models) && Object.hasOwn(models, model);
}

interface ShownBudget {
  /** Null for all models together. */
  readonly model: string | null;
  readonly limit: string;
}

/** How much tokens may cost in a month. */
export const budget = verbs('backoffice usage budget set 50.00', {
  show: table<ShownBudget>('settings.show', {
    about: 'show the monthly budgets',
    rows: { name: 'budgets', id: 'model', fields: () => ['model', 'limit'] },
    columns: [
      { heading: 'of', field: 'model', value: ({ model }) => budgetName(model), cut: true },
      { heading: 'a month', field: 'limit', value: ({ limit }) => limit, align: 'right' },
    ],
    web: { page: 'usage' },
    examples: ['backoffice usage budget show --json'],
    async read({ access }) {
      const names = ['budgets', 'backoffice usage budget set'] as const;
      const { value, none } = await readKept(access, budgetsKey, readBudgets, names);
      const ofModels = [...value.models].map(([model, limit]) => ({ model, limit }));
      const budgets = [
        ...(value.total === undefined ? [] : [{ model: null, limit: value.total }]),
        ...ofModels,
      ];
      return { document: { budgets }, none };
    },
  }),

  set: calling(['settings.show', 'settings.update'], {
    about: 'set the monthly budget for all models together, or for one model',
    params: { amount: argument(amount), model: budgetModel },
    notes:
      'Alerts fire at 50, 80 and 100 % of a budget, and when the cost is expected to exceed it by the end of the month.',
    examples: ['backoffice usage budget set 50.00', 'backoffice usage budget set 10.00 --model large-1'],
    async run({ given: { amount: limit, model }, format, access }) {
      await editSetting(access, budgetsKey, changeBudget(model, limit));
      const set = { model: model ?? null, limit };
      await emitDone(set, format, `Set the budget for ${budgetName(model)} to ${limit} a month.`);
    },
  }),

  remove: calling(['settings.show', 'settings.update'], {
    about: 'remove the monthly budget for all models together, or for one model',
    params: { model: budgetModel, yes },
    examples: ['backoffice usage budget remove --model large-1'],
    async run({ given: { model, yes }, format, access }) {
      const name = budgetName(model);
      const { [budgetsKey]: stored } = await readSettings(access);
      if (entriesOf(stored) !== undefined && !hasBudget(stored, model))
        throw new NotFoundError(`No budget for ${name}. Run \`backoffice usage budget show\` to see all.`);
      await confirm(`Remove the budget for ${name}?`, yes);
      await editSetting(access, budgetsKey, changeBudget(model, undefined));
      await emitDone({ success: true }, format, `Removed the budget for ${name}.`);
    },
  }),
});
