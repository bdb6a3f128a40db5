import { isRecord } from '../../shared/is-record.ts';
import { parseObject, type Readout, type Settings } from './settings.ts';

/** Prices and budgets of tokens. A setting may hold any text, so an invalid part is reported and counts as absent. */

/** JSON: `{"<model>": {"input": "0.15", "output": "0.60", "cached_input": "0.075"}}`, prices per million tokens. */
export const pricesKey = 'token_prices';
/** JSON: `{"total": "50.00", "models": {"<model>": "10.00"}}`, amounts per calendar month. */
export const budgetsKey = 'token_budgets';
export const timeZoneKey = 'timezone';
export const currencyKey = 'currency';

/** The settings that alerts depend on. */
export const usageKeys: readonly string[] = [pricesKey, budgetsKey, timeZoneKey, currencyKey];

/** The price of a million tokens of a model, as decimal texts. */
export interface TokenPrice {
  readonly input: string;
  readonly output: string;
  /** The price of input tokens from the provider's cache. The default is the price of other input tokens. */
  readonly cached_input?: string;
}

/** The budgets of a month, as decimal texts. Without a budget there is no limit. */
interface TokenBudgets {
  readonly total?: string;
  readonly models: ReadonlyMap<string, string>;
}

/** Not negative and exact. A JSON number would be a floating-point number. */
const priceForm = /^\d{1,9}(\.\d{1,9})?$/;
const budgetForm = /^(?=.*[1-9])\d{1,12}(\.\d{1,2})?$/;

/** Reports whether a value is a price per million tokens, such as 0.15. */
export const isPrice = (value: unknown): value is string =>
  typeof value === 'string' && priceForm.test(value);
/** Reports whether a value is an amount greater than zero, such as 50 or 49.90. */
export const isBudget = (value: unknown): value is string =>
  typeof value === 'string' && budgetForm.test(value);

/** Reports whether a record can name the model. JSON escapes can spell characters that Postgres rejects. */
const isName = (model: string) => model.isWellFormed() && !model.includes('\0');

const notAName = (model: string, key: string) =>
  `${JSON.stringify(model)} in the setting ${key} is not a valid model name: it has a character that no record can have.`;

const notAnObject = (key: string) => `The setting ${key} is not a JSON object.`;

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
      const wanted = 'input, output and optionally cached_input, as texts such as "0.15"';
      problems.push(`The price of ${JSON.stringify(model)} in the setting ${pricesKey} must have ${wanted}.`);
    }
  }
  return { value, problems };
}

function isPriceList(price: unknown): price is TokenPrice {
  if (!isRecord(price)) return false;
  const { input, output, cached_input } = price;
  return isPrice(input) && isPrice(output) && (cached_input === undefined || isPrice(cached_input));
}

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
  if (!isRecord(perModel)) problems.push(`models in the setting ${budgetsKey} is not a JSON object.`);
  else {
    for (const [model, budget] of Object.entries(perModel)) {
      if (!isName(model)) problems.push(notAName(model, budgetsKey));
      else if (isBudget(budget)) models.set(model, budget);
      else wrong(JSON.stringify(model));
    }
  }
  return { value: { ...(isBudget(total) ? { total } : {}), models }, problems };
}

/** Returns the currency of the amounts: USD without the setting. */
export function currencyOf({ [currencyKey]: currency = '' }: Settings): string {
  return currency.trim() === '' ? 'USD' : currency.trim();
}
