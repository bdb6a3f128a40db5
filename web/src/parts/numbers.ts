const grouped = new Intl.NumberFormat();

/** Formats a number with its digits in groups, such as 12,304. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** Formats a count with its noun, such as `1 issue` or `12,304 issues`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
