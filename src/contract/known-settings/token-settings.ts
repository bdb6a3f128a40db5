import type { Settings } from '../operations/settings.ts';

/**
 * The settings that token usage is priced and judged by. A setting may hold any text (contract 4.7), so whatever is not
 * as it should be counts as not there: it never breaks what reads it, and is told as a problem.
 */

/** JSON: `{"<model>": {"input": "0.15", "output": "0.60", "cached_input": "0.075"}}`, prices per million tokens. */
export const pricesKey = 'token_prices';
/** JSON: `{"total": "50.00", "models": {"<model>": "10.00"}}`, amounts per calendar month. */
export const budgetsKey = 'token_budgets';
export const timeZoneKey = 'timezone';
const currencyKey = 'currency';

/** The settings that alerts depend on. */
export const usageKeys: readonly string[] = [pricesKey, budgetsKey, timeZoneKey, currencyKey];

/** What a model's tokens cost per million, as decimal texts. */
export interface TokenPrice {
  readonly input: string;
  readonly output: string;
  /** Of the input tokens that came from the provider's cache; without it they cost what the others do. */
  readonly cached_input?: string;
}

/** What may be spent in a month, as decimal texts; what is absent has no limit. */
export interface TokenBudgets {
  readonly total?: string;
  readonly models: ReadonlyMap<string, string>;
}

/** What a setting says, and a sentence for each part of it that says nothing. */
export interface Readout<T> {
  readonly value: T;
  readonly problems: readonly string[];
}

/** Not negative, and exact: a number of JSON would pass through floating point. */
const priceForm = /^\d{1,9}(\.\d{1,9})?$/;
const budgetForm = /^(?=.*[1-9])\d{1,12}(\.\d{1,2})?$/;

/** Whether a text is a price per million tokens, such as 0.15. */
export const isPrice = (value: unknown): value is string =>
  typeof value === 'string' && priceForm.test(value);
/** Whether a text is an amount to spend, such as 50 or 49.90, and more than nothing. */
export const isBudget = (value: unknown): value is string =>
  typeof value === 'string' && budgetForm.test(value);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a JSON object; undefined where the text is none. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a record can name the model: escapes of JSON can spell what no text of the database holds. */
const isName = (model: string) => model.isWellFormed() && !model.includes('\0');

const notAName = (model: string, key: string) =>
  `${JSON.stringify(model)} in the setting ${key} is no name of a model: it has a character that no record can have.`;

const notAnObject = (key: string) => `The setting ${key} is no JSON object.`;

/** The prices of the models. */
export function readPrices({ [pricesKey]: text = '' }: Settings): Readout<ReadonlyMap<string, TokenPrice>> {
  const value = new Map<string, TokenPrice>();
  if (text === '') return { value, problems: [] };
  const entries = parseObject(text);
  if (entries === undefined) return { value, problems: [notAnObject(pricesKey)] };
  const problems: string[] = [];
  for (const [model, price] of Object.entries(entries)) {
    if (!isName(model)) problems.push(notAName(model, pricesKey));
    else if (isPriceList(price)) value.set(model, price);
    else {
      const wanted = 'input and output, and cached_input where it differs, as texts such as "0.15"';
      problems.push(`The price of ${JSON.stringify(model)} in the setting ${pricesKey} must have ${wanted}.`);
    }
  }
  return { value, problems };
}

function isPriceList(price: unknown): price is TokenPrice {
  if (!isObject(price)) return false;
  const { input, output, cached_input } = price;
  return isPrice(input) && isPrice(output) && (cached_input === undefined || isPrice(cached_input));
}

/** The budgets of a month. */
export function readBudgets({ [budgetsKey]: text = '' }: Settings): Readout<TokenBudgets> {
  const models = new Map<string, string>();
  if (text === '') return { value: { models }, problems: [] };
  const fields = parseObject(text);
  if (fields === undefined) return { value: { models }, problems: [notAnObject(budgetsKey)] };
  const problems: string[] = [];
  const wrong = (what: string) =>
    problems.push(`The budget of ${what} in the setting ${budgetsKey} must be a text such as "50.00".`);

  const { total, models: perModel = {} } = fields;
  if (total !== undefined && !isBudget(total)) wrong('all models');
  if (!isObject(perModel)) problems.push(`models in the setting ${budgetsKey} is no JSON object.`);
  else {
    for (const [model, budget] of Object.entries(perModel)) {
      if (!isName(model)) problems.push(notAName(model, budgetsKey));
      else if (isBudget(budget)) models.set(model, budget);
      else wrong(JSON.stringify(model));
    }
  }
  return { value: { ...(isBudget(total) ? { total } : {}), models }, problems };
}

/** What amounts are in; USD without the setting. */
export function currencyOf({ [currencyKey]: currency = '' }: Settings): string {
  return currency.trim() === '' ? 'USD' : currency.trim();
}
