/**
 * Returns how much an `Accept` or `Accept-Encoding` header prefers something, from 0 to 1 (RFC 9110, 12.4.2),
 * by the first of its names that the header has. Undefined if it has none of them.
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

// The `Prefer` header (https://www.rfc-editor.org/rfc/rfc7240).

type Header = string | readonly string[] | undefined;

/** Reports whether a request asks for strict handling. The first of several preferences with the same name counts. */
export function prefersStrict(header: Header): boolean {
  const [handling] = preferencesIn(header)
    .map((preference) => /^handling\s*=\s*"?([\w-]*)"?\s*(;|$)/i.exec(preference)?.[1])
    .filter((value) => value !== undefined);
  return handling?.toLowerCase() === 'strict';
}

/** Reports whether a program sends the request by itself, which must not keep the session of a person alive. */
export function isBackground(header: Header): boolean {
  return preferencesIn(header).some((preference) => /^background\s*(;|$)/i.test(preference));
}

function preferencesIn(header: Header): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((preference) => preference.trim());
}
