import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { outputWidth, print, printData, remark } from '../terminal.ts';
import { paint } from './colours.ts';
import type { Column } from './table.ts';

/** The format of a result: JSON, CSV, or neither, for people. */
export interface Format {
  /** True for the whole document, or the names of fields. */
  readonly json?: true | string;
  readonly csv?: true;
}

/** Adds `--json` to a command, and `--csv` if wanted. */
export function withFormats<C extends Command>(command: C, formats: 'json' | 'json and csv' = 'json'): C {
  command.option(
    '--json [fields]',
    'print JSON, as the API returns it; with names, only those fields: --json id,title',
  );
  if (formats === 'json and csv') command.option('--csv', 'print CSV');
  return command;
}

/**
 * Prints a document: as JSON, its list as CSV, or in a form for people.
 *
 * @param list - the name of the list in the document that the fields of `--json` and the lines of CSV come from
 */
export async function emit(
  document: object,
  { json, csv }: Format,
  list: string | undefined,
  forPeople: () => void | Promise<void>,
): Promise<void> {
  if (csv && list !== undefined) {
    const { renderCsv } = await import('./csv.ts');
    printData(renderCsv(rowsOf(document, list)));
  } else if (json === undefined) await forPeople();
  else printData(toJson(document, json, list));
}

/**
 * Prints the answer of a change. The change is made already, so an unknown field of `--json` must neither count as a
 * failure nor lose the answer, which may contain a secret that is shown only once.
 */
export async function emitChange(
  document: object,
  format: Format,
  forPeople: () => void | Promise<void>,
): Promise<void> {
  try {
    await emit(document, format, undefined, forPeople);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    remark(`${error.message} The change was made. The full answer:`);
    printData(JSON.stringify(document));
  }
}

/** Renders a document, or some of its fields, as JSON. */
export function toJson(document: object, fields: true | string, list?: string): string {
  return JSON.stringify(fields === true ? document : pick(document, fields.split(','), list));
}

/** Prints a table as wide as standard output. */
export async function emitTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  const { renderTable } = await import('./table.ts');
  print(renderTable(columns, rows, outputWidth(), paint('bold')));
}

/** Picks fields of each row of a document's list, or of the document itself. */
function pick(document: object, names: readonly string[], list: string | undefined): object {
  if (list === undefined) return pickFields(document, names);
  return { [list]: rowsOf(document, list).map((row) => pickFields(row, names)) };
}

function rowsOf(document: object, list: string): readonly object[] {
  return (document as Record<string, readonly object[]>)[list] ?? [];
}

function pickFields(row: object, names: readonly string[]): object {
  return Object.fromEntries(
    names.map((name) => {
      if (!Object.hasOwn(row, name)) {
        throw new UsageError(`Unknown field: ${name}. Available: ${Object.keys(row).join(', ')}.`);
      }
      return [name, (row as Record<string, unknown>)[name]];
    }),
  );
}
