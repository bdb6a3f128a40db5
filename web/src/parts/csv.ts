/** Excel reads a file without it in the encoding of the country. */
const byteOrderMark = '\uFEFF';

/** A row of a spreadsheet. */
export type CsvLine = readonly (string | number)[];

/** Returns lines as a CSV file. */
export function csvFile(lines: readonly CsvLine[]): Blob {
  return csvFileOf([csvText(lines)]);
}

/** Returns texts of lines as a CSV file. */
function csvFileOf(texts: readonly string[]): Blob {
  return new Blob([byteOrderMark, ...texts], { type: 'text/csv;charset=utf-8' });
}

/** Writes lines of CSV (RFC 4180). Objects and arrays become JSON. */
export function csvText(lines: readonly (readonly unknown[])[]): string {
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** Writes a cell. A spreadsheet would run a text that begins as a formula does, so it gets an apostrophe. */
function cellOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const plain = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the local date, such as `2026-01-31`, for the names of files. */
export function today(): string {
  return new Date().toLocaleDateString('sv');
}
