import { type Command, Option } from 'commander';
import type { OperationId } from '../../src/contract/registry.ts';
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
  const json = new Option(
    '--json [fields]',
    'print JSON, as the API returns it; with names, only those fields: --json id,title',
  );
  command.addOption(json);
  if (formats === 'json and csv') command.addOption(new Option('--csv', 'print CSV').conflicts('json'));
  return command;
}

/** The list of a document that the fields of `--json` and the lines of CSV come from. */
export interface ListOf {
  readonly name: string;
  /** Returns the fields of its rows, which an empty list does not show. */
  readonly fields: () => readonly string[] | Promise<readonly string[]>;
}

/**
 * Describes a list in the answer of an operation.
 *
 * @param include - a field that the caller has added to each row
 */
export function listIn(id: OperationId, name: string, include?: string): ListOf {
  return {
    name,
    async fields() {
      // Imported on demand, because it would slow down `--help`.
      const { rowFieldsOf } = await import('../../src/contract/answer-fields.ts');
      return rowFieldsOf(id, name, include);
    },
  };
}

/**
 * Prints a document: as JSON, its list as CSV, or in a form for people.
 *
 * @param from - the list that the fields of `--json` and the lines of CSV come from, or the name of the object in the
 *   document whose fields `--json` picks too
 */
export async function emit(
  document: object,
  { json, csv }: Format,
  from: ListOf | string | undefined,
  forPeople: () => void | Promise<void>,
): Promise<void> {
  const list = typeof from === 'object' ? from : undefined;
  if (csv && list !== undefined) {
    const { renderCsv } = await import('./csv.ts');
    const rows = rowsOf(document, list.name);
    printData(renderCsv(rows, rows.length === 0 ? await list.fields() : undefined));
  } else if (json === undefined) await forPeople();
  else if (json === true) printData(JSON.stringify(document));
  else if (list === undefined) printData(toJson(withFieldsOf(from as string | undefined, document), json));
  else {
    const names = await knownFields(json, list);
    const rows = rowsOf(document, list.name).map((row) => pickFields(row, names));
    printData(JSON.stringify({ [list.name]: rows }));
  }
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

/**
 * Renders a document, or some of its fields, as JSON.
 *
 * @throws UsageError for a field that it does not have
 */
export function toJson(document: object, fields: true | string): string {
  if (fields === true) return JSON.stringify(document);
  const names = fields.split(',');
  checkFields(names, Object.keys(document));
  return JSON.stringify(pickFields(document, names));
}

/**
 * Returns the names of fields that `--json` asks for.
 *
 * @throws UsageError for one that the rows of the list do not have
 */
export async function knownFields(asked: string, { fields }: ListOf): Promise<readonly string[]> {
  const names = asked.split(',');
  checkFields(names, await fields());
  return names;
}

/** Prints a table as wide as standard output. */
export async function emitTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  const { renderTable } = await import('./table.ts');
  print(renderTable(columns, rows, outputWidth(), paint('bold')));
}

/** Returns a document with the fields of an object in it, after its own. */
function withFieldsOf(name: string | undefined, document: object): object {
  return name === undefined
    ? document
    : { ...document, ...(document as Record<string, object>)[name], ...document };
}

function rowsOf(document: object, list: string): readonly object[] {
  return (document as Record<string, readonly object[]>)[list] ?? [];
}

/** Picks fields of an object, as far as it has them. */
export function pickFields(row: object, names: readonly string[]): object {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, values[name]]),
  );
}

function checkFields(names: readonly string[], available: readonly string[]): void {
  const unknown = names.find((name) => !available.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown field: ${unknown}. Available: ${available.join(', ')}.`);
}
