import { toPercent } from '../../../src/contract/figures.ts';

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
