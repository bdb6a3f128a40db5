import { isRecord } from '../../shared/is-record.ts';
import { parseObject, type Readout, type Settings } from './settings.ts';

/** Prices and budgets of tokens. A setting may hold any text, so an invalid part is reported and counts as absent. */

/**
 * JSON: `{"<model>": {"input": "0.15", "output": "0.60", "cached_input": "0.075"}}`, prices per million tokens. A model may
 * have a list of prices, each with the month from which it holds: `"since": "2026-11"`.
 */
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
  readonly cached_input?: string | undefined;
  /** The first month in which it holds, such as `2026-11`. Without it, it holds from the beginning. */
  readonly since?: string | undefined;
}

/** The prices of each model, earliest first. Each holds until the month of the next one. */
type TokenPrices = ReadonlyMap<string, readonly TokenPrice[]>;

/** The budgets of a month, as decimal texts. Without a budget there is no limit. */
interface TokenBudgets {
  readonly total?: string;
  readonly models: ReadonlyMap<string, string>;
}

/** Not negative and exact. A JSON number would be a floating-point number. */
const priceForm = /^\d{1,9}(\.\d{1,9})?$/;
const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/;
const budgetForm = /^(?=.*[1-9])\d{1,12}(\.\d{1,2})?$/;

/** Reports whether a value is a price per million tokens, such as 0.15. */
export const isPrice = (value: unknown): value is string =>
  typeof value === 'string' && priceForm.test(value);
/** Reports whether a value is an amount greater than zero, such as 50 or 49.90. */
export const isBudget = (value: unknown): value is string =>
  typeof value === 'string' && budgetForm.test(value);

/** Reports whether a value is a calendar month, such as 2026-11. */
const isMonth = (value: unknown) => typeof value === 'string' && monthForm.test(value);

/** Reports whether a record can name the model. JSON escapes can spell characters that Postgres rejects. */
const isName = (model: string) => model.isWellFormed() && !model.includes('\0');

const notAName = (model: string, key: string) =>
  `${JSON.stringify(model)} in the setting ${key} is not a valid model name: it has a character that no record can have.`;

const notAnObject = (key: string) => `The setting ${key} is not a JSON object.`;

export function readPrices({ [pricesKey]: text = '' }: Settings): Readout<TokenPrices> {
  const value = new Map<string, readonly TokenPrice[]>();
  if (text === '') return { value, problems: [] };
  const entries = parseObject(text);
  if (entries === undefined) return { value, problems: [notAnObject(pricesKey)] };
  const problems: string[] = [];
  for (const [model, given] of Object.entries(entries)) {
    const prices: readonly unknown[] = Array.isArray(given) ? given : [given];
    const mustHave = `of ${JSON.stringify(model)} in the setting ${pricesKey} must have`;
    if (!isName(model)) problems.push(notAName(model, pricesKey));
    else if (prices.length === 0 || !prices.every(hasAmounts)) {
      const wanted = 'input, output and optionally cached_input, as texts such as "0.15"';
      problems.push(`The price ${mustHave} ${wanted}.`);
    } else if (!haveMonths(prices)) {
      problems.push(`Each price ${mustHave} another month as since, such as "2026-11".`);
    } else value.set(model, inOrder(prices));
  }
  return { value, problems };
}

function hasAmounts(price: unknown): price is TokenPrice {
  if (!isRecord(price)) return false;
  const { input, output, cached_input } = price;
  return isPrice(input) && isPrice(output) && (cached_input === undefined || isPrice(cached_input));
}

/** Reports whether each price holds from another month. One may hold from the beginning. */
function haveMonths(prices: readonly TokenPrice[]): boolean {
  const months = new Set(prices.map(({ since }) => since));
  return months.size === prices.length && [...months].every((since) => since === undefined || isMonth(since));
}

const startOf = ({ since = '' }: TokenPrice) => since;

/** Sorts the prices of a model, earliest first. */
export function inOrder(prices: readonly TokenPrice[]): readonly TokenPrice[] {
  return prices.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1));
}

/** Returns which of the prices of a model, earliest first, holds in a month such as `2026-11`. */
export function priceIn(prices: readonly TokenPrice[], month: string): TokenPrice | undefined {
  return prices.findLast((price) => startOf(price) <= month);
}

/** Returns the price of each model that has one in a month. */
export function pricesIn(settings: Settings, month: string): ReadonlyMap<string, TokenPrice> {
  const prices = new Map<string, TokenPrice>();
  for (const [model, ofModel] of readPrices(settings).value) {
    const price = priceIn(ofModel, month);
    if (price !== undefined) prices.set(model, price);
  }
  return prices;
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
