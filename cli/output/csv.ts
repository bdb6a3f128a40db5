import { stringify } from 'csv-stringify/sync';

/**
 * Renders rows as CSV (RFC 4180), with objects and arrays as JSON. A cell that a spreadsheet would run as a formula is prefixed with a quote
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 *
 * @param columns - the columns, by default those of the first row
 * @param header - whether to start with a line of headings
 */
export function renderCsv(
  rows: readonly object[],
  columns: readonly string[] = Object.keys(rows[0] ?? {}),
  header = true,
): string {
  return stringify([...rows], {
    header,
    columns: [...columns],
    escape_formulas: true,
    // The library leaves this one.
    cast: { string: (text) => (text.startsWith('\n') ? `'${text}` : text) },
  }).replace(/\n$/, '');
}
