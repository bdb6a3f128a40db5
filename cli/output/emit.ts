import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { outputWidth, print, printData, remark } from '../terminal.ts';
import { paint } from './colours.ts';
import type { Column } from './table.ts';

/** How a result is wanted: for people, or as JSON or CSV. */
export interface Format {
  /** True for the whole of it, or the names of fields. */
  readonly json?: true | string;
  readonly csv?: true;
}

/** Lets a command answer as JSON; with `--csv`, as CSV too. */
export function withFormats<C extends Command>(command: C, formats: 'json' | 'json and csv' = 'json'): C {
  command.option(
    '--json [fields]',
    'as JSON, as the API answers; with names, only those fields: --json id,title',
  );
  if (formats === 'json and csv') command.option('--csv', 'as CSV');
  return command;
}

/**
 * Shows a document: as JSON, its list as CSV, or as whatever people like to read.
 *
 * @param list - the name of the document's list, whose rows the fields of `--json` and the lines of CSV are made of
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
 * Shows what a change has answered. It is made by now, so a field that the answer lacks is no reason to lose the rest,
 * which may be a secret that is shown only now, nor to say that it failed.
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
    remark(`${error.message} It is done, and this is the whole answer:`);
    printData(JSON.stringify(document));
  }
}

/** A document, or those fields of it, as JSON. */
export function toJson(document: object, fields: true | string, list?: string): string {
  return JSON.stringify(fields === true ? document : pick(document, fields.split(','), list));
}

/** A table on standard output, as wide as that. */
export async function emitTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  const { renderTable } = await import('./table.ts');
  print(renderTable(columns, rows, outputWidth(), paint('bold')));
}

/** Only some fields: of each row of a document's list, or of the document itself. */
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
        throw new UsageError(`There is no field ${name}: there are ${Object.keys(row).join(', ')}.`);
      }
      return [name, (row as Record<string, unknown>)[name]];
    }),
  );
}
