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

/** Excel reads a file without it in the encoding of the country. */
const byteOrderMark = '\uFEFF';

/** Saves a file, as a link to it would. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves lines as a CSV file. */
export function downloadCsv(lines: readonly CsvLine[], name: string): void {
  download(new Blob([byteOrderMark, csvText(lines)], { type: 'text/csv;charset=utf-8' }), name);
}
