/** Excel reads a file without it in the encoding of the country. */
const byteOrderMark = '\uFEFF';

/** A row of a spreadsheet. */
export type CsvLine = readonly (string | number)[];

/** Returns lines as a CSV file. */
export function csvFile(lines: readonly CsvLine[]): Blob {
  const text = lines.map((cells) => cells.map(cellOf).join(',')).join('\r\n');
  return new Blob([`${byteOrderMark}${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** Writes a cell. A spreadsheet would run a text that begins as a formula does, so it gets an apostrophe. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
