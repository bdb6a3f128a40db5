/** Cuts a text that is longer than so many characters (code points), and marks the cut with `…`. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // By code points, so that no character is cut in half. A code point has at most two code units.
  const points = [...text.slice(0, 2 * (maxLength + 1))];
  return points.length <= maxLength ? text : `${points.slice(0, maxLength).join('')}…`;
}
