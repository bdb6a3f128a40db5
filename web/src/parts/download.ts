import { type CsvLine, csvText } from './csv.ts';

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
