import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets a quote in front
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 *
 * @param header - whether a line of headings comes first
 */
export function renderCsv(rows: readonly object[], header = true): string {
  const columns = Object.keys(rows[0] ?? {});
  return stringify(rows.map(flat), { header, columns, escape_formulas: true }).replace(/\n$/, '');
}

/** What is no plain value becomes JSON text. */
function flat(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}
