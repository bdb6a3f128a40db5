import type { Field } from '../../../src/contract/fields/field.ts';
import { toPercent } from '../../../src/contract/figures.ts';

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Says how many rows of a noun there are. */
export const countOf = (count: number, { one, many }: { readonly one: string; readonly many: string }) =>
  counted(count, one, many);

/** The words that people call otherwise. */
const names: Readonly<Record<string, string>> = {
  http: 'Web or API',
  cli: 'Command line',
  tui: 'Terminal',
  mcp: 'Agent',
  job: 'Service',
};

/** Returns a word of the API as people read it, such as `Saved reply created` for `saved_reply.created`. */
export const inWords = (word: string): string =>
  names[word] ?? capital(word.replaceAll(/(?<=\w)[._](?=\w)/g, ' '));

/** Returns a word of a field as people read it. A word of somebody's own stays as it is. */
export const wordIn = ({ isOpen }: Field, word: string): string => (isOpen ? word : inWords(word));

const grouped = new Intl.NumberFormat();

/** Formats a number with its digits in groups, such as 12,304. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** Formats a count with its noun, such as `1 issue` or `12,304 issues`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent' });

/** Formats a share as the other dashboards and commands do: in whole percent, rounded down. */
export function formatPercent(part: number): string {
  return percent.format(toPercent(part) / 100);
}

const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Formats a part of a whole, such as 97.2%. */
export function formatShare(part: number): string {
  return share.format(part);
}

const cents = 2;
/** A price of a million tokens has as many digits as the setting allows. */
const priceDigits = 9;

/**
 * Formats an amount that the API writes as a decimal text, such as $1,204.50. One below a cent has up to four digits,
 * because a request costs less than that.
 */
export function formatMoney(amount: string, currency: string): string {
  const size = Math.abs(Number(amount));
  return moneyOf(amount, currency, size > 0 && size < 0.01 ? 4 : cents);
}

/** Formats a price with all its digits, such as $0.075. */
export function formatPrice(price: string, currency: string): string {
  return moneyOf(price, currency, priceDigits);
}

/** Formats an amount. A currency that the browser does not know stands behind the number. */
function moneyOf(amount: string, currency: string, maximumFractionDigits: number): string {
  const digits = { minimumFractionDigits: cents, maximumFractionDigits };
  try {
    const money = new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits });
    return money.format(Number(amount));
  } catch {
    return `${new Intl.NumberFormat(undefined, digits).format(Number(amount))} ${currency}`;
  }
}

const spans = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration with its two largest units, such as 4 min 12 s. */
export function formatDuration(milliseconds: number): string {
  const first = spans.findIndex(([, size]) => milliseconds >= size);
  if (first === -1) return `${Math.round(milliseconds)} ms`;
  let left = milliseconds;
  const parts = spans.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return `${count} ${unit}`;
  });
  return parts.join(' ');
}
