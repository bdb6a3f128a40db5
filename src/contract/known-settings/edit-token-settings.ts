import { parseObject } from './settings.ts';
import { inOrder, pricesKey, readPrices, type TokenPrice } from './token-settings.ts';

/**
 * Each changes one entry of a stored text, and keeps the others, even invalid ones. Returns null if the text is not a
 * JSON object, so that nothing is lost. Apart from token-settings.ts, which the first view of the dashboard loads.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Returns the entries of a stored text, or undefined if it is not a JSON object. An empty text has none. */
export function entriesOf(stored: string | undefined): Fields | undefined {
  return stored === undefined || stored === '' ? {} : parseObject(stored);
}

/**
 * Returns from which month a new price of a model holds, so that finished months keep their costs: the given one, or from
 * the beginning (undefined) if the model has no price yet.
 */
export function sinceOfNewPrice(
  stored: string | undefined,
  model: string,
  month: string,
): string | undefined {
  return pricesOf(stored, model).length === 0 ? undefined : month;
}

/** Adds the price of a model, or replaces the one that holds since the same month. */
export function withPrice(stored: string | undefined, model: string, price: TokenPrice): string | null {
  const entries = entriesOf(stored);
  if (entries === undefined) return null;
  const others = pricesOf(stored, model).filter(({ since }) => since !== price.since);
  const isOnly = others.length === 0 && price.since === undefined;
  return JSON.stringify(withEntry(entries, model, isOnly ? price : inOrder([...others, price])));
}

/** Removes all prices of a model. */
export function withoutPrice(stored: string | undefined, model: string): string | null {
  const entries = entriesOf(stored);
  return entries === undefined ? null : JSON.stringify(withEntry(entries, model, undefined));
}

/** Returns the prices of a model; none if they are invalid, so that a new one takes their place. */
function pricesOf(stored: string | undefined, model: string): readonly TokenPrice[] {
  return readPrices({ [pricesKey]: stored ?? '' }).value.get(model) ?? [];
}

/** Adds or replaces the total budget of all models; undefined removes it. */
export function withTotalBudget(stored: string | undefined, budget: string | undefined): string | null {
  const fields = entriesOf(stored);
  return fields === undefined ? null : JSON.stringify(withEntry(fields, 'total', budget));
}

/** Adds or replaces the budget of one model; undefined removes it. */
export function withModelBudget(
  stored: string | undefined,
  model: string,
  budget: string | undefined,
): string | null {
  const fields = entriesOf(stored);
  const models = fields === undefined ? undefined : entriesOf(JSON.stringify(fields.models ?? {}));
  if (fields === undefined || models === undefined) return null;
  return JSON.stringify(withEntry(fields, 'models', withEntry(models, model, budget)));
}

/** Does not use spread, because a model may be called __proto__. */
function withEntry(fields: Fields, name: string, value: unknown): Fields {
  const others = Object.entries(fields).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}
