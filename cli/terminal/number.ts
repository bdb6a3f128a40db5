import { toPercent, toSeconds } from '../../src/contract/figures.ts';
import { groupDigits } from '../../src/shared/text.ts';

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
