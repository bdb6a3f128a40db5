import { parseObject } from './settings.ts';
import type { TokenPrice } from './token-settings.ts';

/**
 * Each changes one entry of a stored text, and keeps the others, even invalid ones. Returns null if the text is not a
 * JSON object, so that nothing is lost. Apart from token-settings.ts, which the first view of the dashboard loads.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Returns the entries of a stored text, or undefined if it is not a JSON object. An empty text has none. */
export function entriesOf(stored: string | undefined): Fields | undefined {
  return stored === undefined || stored === '' ? {} : parseObject(stored);
}

/** Adds or replaces the price of a model; undefined removes it. */
export function withPrice(
  stored: string | undefined,
  model: string,
  price: TokenPrice | undefined,
): string | null {
  const prices = entriesOf(stored);
  return prices === undefined ? null : JSON.stringify(withEntry(prices, model, price));
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
