import { stringify } from 'csv-stringify/sync';

/**
 * Renders rows as CSV (RFC 4180). A cell that a spreadsheet would run as a formula is prefixed with a quote
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 *
 * @param header - whether to start with a line of headings
 */
export function renderCsv(rows: readonly object[], header = true): string {
  const columns = Object.keys(rows[0] ?? {});
  return stringify(rows.map(flat), { header, columns, escape_formulas: true }).replace(/\n$/, '');
}

/** Turns objects and arrays into JSON text. */
function flat(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}
