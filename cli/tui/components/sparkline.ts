const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Returns a line with a column for each number. Zero is a blank, so that days without anything differ from quiet ones. */
export function sparkline(numbers: readonly number[]): string {
  const max = Math.max(1, ...numbers);
  return numbers
    .map((number) => (number <= 0 ? ' ' : (levels[Math.ceil((number / max) * levels.length) - 1] ?? '')))
    .join('');
}
