const units = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration with its two largest units, such as 4 min 12 s. */
export function formatDuration(milliseconds: number): string {
  const first = units.findIndex(([, size]) => milliseconds >= size);
  if (first === -1) return `${Math.round(milliseconds)} ms`;
  let left = milliseconds;
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return `${count} ${unit}`;
  });
  return parts.join(' ');
}
