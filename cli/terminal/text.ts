import { toPercent, toSeconds } from '../../src/contract/figures.ts';
import { groupDigits } from '../../src/shared/text.ts';

export { printable } from '../../src/shared/text.ts';

/** Returns a text with its first letter in upper case, as at the start of a sentence. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns JSON in lines, as people read it; any other text as it is. */
export function inLines(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** Formats a number with separators: `12,345`. */
export function grouped(number: number): string {
  return Number.isSafeInteger(number) ? groupDigits(number) : number.toLocaleString('en');
}

/** Formats a number of things: `1 issue`, `12,345 issues`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** Formats a ratio in whole percent: `57 %`. */
export function percent(ratio: number): string {
  return `${toPercent(ratio)} %`;
}

/** Formats a duration in seconds: `36.9 s`. */
export function inSeconds(milliseconds: number): string {
  return `${toSeconds(milliseconds).toFixed(1)} s`;
}
