import {
  entriesOf,
  sinceOfNewPrice,
  withModelBudget,
  withoutPrice,
  withPrice,
  withTotalBudget,
} from '../../../src/contract/known-settings/edit-token-settings.ts';
import {
  budgetsKey,
  isBudget,
  isPrice,
  priceIn,
  pricesKey,
  readBudgets,
  readPrices,
} from '../../../src/contract/known-settings/token-settings.ts';
import { type Month, monthNow } from '../parts/months.tsx';

/** A row of a setting that is a list: a model and its amounts, as they are typed. */
export interface ModelRow {
  readonly model: string;
  /** What stands in place of a model: the row stays. */
  readonly label?: string;
  readonly [amount: string]: string | undefined;
}

/** A setting that is edited as rows. */
export interface RowsKind {
  /** What it says, with the currency of its amounts. */
  readonly about: (currency: string) => string;
  /** The amounts of a row, with their labels. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly rowsOf: (stored: string, month: Month) => readonly ModelRow[];
  /** Returns what is wrong with an amount. */
  readonly problemOf: (text: string, name: string, row: ModelRow) => string | undefined;
  /** Returns the stored text with the row of a model, or without it. Null if it is not a JSON object. */
  readonly put: (stored: string, model: string, row: ModelRow | undefined, month: Month) => string | null;
}

const totalLabel = 'All models together';

const prices: RowsKind = {
  about: (currency) =>
    `Per million tokens, in ${currency}. Cached tokens cost the input price unless you set their own. A new price applies from this month on: earlier months keep theirs. The first price of a model also applies to all earlier requests. A model that you remove loses its prices of all months, and its cost is unknown in each.`,
  amounts: { input: 'Input', output: 'Output', cached: 'Cached' },
  rowsOf: (stored, month) =>
    [...readPrices({ [pricesKey]: stored }).value].flatMap(([model, all]) => {
      // One that holds from a later month on is shown if there is no other.
      const price = priceIn(all, month) ?? all[0];
      if (price === undefined) return [];
      const { input, output, cached_input: cached = '', since = '' } = price;
      return [{ model, input, output, cached, since }];
    }),
  problemOf: (text, name) =>
    isPrice(text) || (name === 'cached' && text === '') ? undefined : 'Enter a price such as 0.15.',
  put(stored, model, row, month) {
    if (row === undefined) return withoutPrice(stored, model);
    const { input = '', output = '', cached } = row;
    const since = sinceOfNewPrice(stored, model, month);
    return withPrice(stored, model, { input, output, cached_input: cached || undefined, since });
  },
};

const budgets: RowsKind = {
  about: (currency) =>
    `What a calendar month may cost, in ${currency}. An alert is raised at 50, 80 and 100%. No request is stopped.`,
  amounts: { amount: 'Budget' },
  rowsOf(stored) {
    const { total = '', models } = readBudgets({ [budgetsKey]: stored }).value;
    const others = [...models].map(([model, amount]) => ({ model, amount }));
    return [{ model: '', label: totalLabel, amount: total }, ...others];
  },
  problemOf: (text, _name, { label }) =>
    isBudget(text) || (label !== undefined && text === '')
      ? undefined
      : 'Enter an amount above 0, such as 50.00.',
  put: (stored, model, row) =>
    row?.label === undefined
      ? withModelBudget(stored, model, row?.amount)
      : withTotalBudget(stored, row.amount || undefined),
};

const kinds = new Map(Object.entries({ [pricesKey]: prices, [budgetsKey]: budgets }));

/** Returns how a setting is edited as rows; undefined if it is not. */
export const rowsKindOf = (key: string): RowsKind | undefined => kinds.get(key);

/** Reads the rows of a form, without the white space around their texts. */
export function readRows(value: string): readonly ModelRow[] {
  return (JSON.parse(value) as ModelRow[]).map(
    (row) =>
      Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text?.trim()])) as typeof row,
  );
}

/** Returns what is wrong with the model of a row or with one of its amounts, among the other rows. */
export function cellProblem(
  { problemOf }: RowsKind,
  name: string,
  row: ModelRow,
  rows: readonly ModelRow[],
): string | undefined {
  const text = row[name]?.trim() ?? '';
  if (name !== 'model') return problemOf(text, name, row);
  if (row.label !== undefined) return undefined;
  if (text === '') return 'Enter the name of the model as it is in requests.';
  const isTwice = rows.filter(({ model }) => model.trim() === text).length > 1;
  return isTwice ? 'This model is in the list twice.' : undefined;
}

/** Returns what is wrong with the rows of a form. Each field says what is wrong with it. */
export function rowsProblem(kind: RowsKind, value: string): string | undefined {
  const rows = readRows(value);
  const names = ['model', ...Object.keys(kind.amounts)];
  const isWrong = rows.some((row) => names.some((name) => cellProblem(kind, name, row, rows) !== undefined));
  return isWrong ? 'Correct the rows that are marked.' : undefined;
}

/** Returns a stored text with what was changed between two states of a form, so that what a colleague has added stays. */
export function storedWith(
  { put }: RowsKind,
  stored: string,
  before: string,
  after: string,
  month: Month,
): string {
  const old = readRows(before);
  const rows = readRows(after);
  // What is not a JSON object has nothing to keep.
  let text = entriesOf(stored) === undefined ? '' : stored;
  for (const { model } of old)
    if (!rows.some((row) => row.model === model)) text = put(text, model, undefined, month) ?? text;
  const same = new Set(old.map((row) => JSON.stringify(row)));
  for (const row of rows) if (!same.has(JSON.stringify(row))) text = put(text, row.model, row, month) ?? text;
  return text === '{}' ? '' : text;
}

/** Returns a stored text, or the rows of a form, with a line for each model. */
export function rowsInWords(kind: RowsKind, text: string): string {
  const rows = text.startsWith('[') ? readRows(text) : kind.rowsOf(text, monthNow('UTC'));
  const labels = Object.entries(kind.amounts);
  return rows
    .flatMap((row) => {
      const amounts = labels
        .filter(([name]) => row[name])
        .map(([name, label]) => (labels.length === 1 ? row[name] : `${label.toLowerCase()} ${row[name]}`));
      return amounts.length === 0 ? [] : [`${row.label ?? row.model}: ${amounts.join(', ')}`];
    })
    .join('\n');
}
