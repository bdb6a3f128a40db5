import { groupDigits } from '../../src/shared/text.ts';

/** Formats a number with separators: `12,345`. */
export function grouped(number: number): string {
  return Number.isSafeInteger(number) ? groupDigits(number) : number.toLocaleString('en');
}

/** Formats a number of things: `1 issue`, `12,345 issues`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** Formats a ratio in whole percent, rounded down: `57 %`. It is 100 % only once all is reached. */
export function percent(ratio: number): string {
  // A double is not exact: 0.57 * 100 is 56.99999999999999.
  return `${Math.floor(Math.round(ratio * 10_000) / 100)} %`;
}
