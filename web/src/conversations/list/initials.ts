/** Returns up to two letters that stand for a name, or a sign if it has none. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = '?', ...others] = words;
  const letters = [first, ...others.slice(-1)].map((word) => [...word][0]);
  return letters.join('').toUpperCase();
}
