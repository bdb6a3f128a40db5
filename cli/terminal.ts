import Table from 'cli-table3';

/** The result of a command, on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Progress and remarks, on standard error, so that standard output holds nothing but the result. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** What went wrong: a sentence for people, the whole error where it was asked for. */
export function printError(error: unknown): void {
  remark(`backoffice: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** Rows below their headings, without lines. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = new Table({
    head: headings.map((heading) => heading.toUpperCase()),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '',
    },
  });
  table.push(...rows.map((row) => row.map(printable)));
  print(table.toString());
}

/** Text without control characters, which a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD');
}
