/** A row of a spreadsheet. */
export type CsvLine = readonly unknown[];

/** Writes lines of CSV (RFC 4180). Objects and arrays become JSON. */
export function csvText(lines: readonly CsvLine[]): string {
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** Writes a cell. A spreadsheet would run a text that begins as a formula does, so it gets an apostrophe. */
function cellOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const plain = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
