/**
 * Returns how much an `Accept` or `Accept-Encoding` header prefers something: from 0, not accepted, to 1 (RFC 9110,
 * 12.4.2). Undefined if the header does not name it.
 *
 * @param names - the names that it has in the header, the most specific first
 */
export function qualityOf(header: string, names: readonly string[]): number | undefined {
  const ranges = header.split(',').map(parseRange);
  for (const name of names) {
    const range = ranges.find((each) => each.name === name);
    if (range !== undefined) return range.quality;
  }
  return undefined;
}

function parseRange(text: string): { readonly name: string; readonly quality: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.map((parameter) => /^q\s*=\s*(.*)$/.exec(parameter)?.[1]).find(Boolean);
  const quality = weight === undefined ? 1 : Number.parseFloat(weight);
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
