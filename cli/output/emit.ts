import { FailedError, UsageError } from '../errors.ts';
import type { Column } from '../terminal/columns.ts';
import { outputWidth, print, printData, printPiece, remark } from '../terminal/terminal.ts';
import { paint } from '../terminal/tones.ts';
import {
  checkFields,
  type Format,
  isForPeople,
  type ListOf,
  pickFields,
  rowsOf,
  valueText,
} from './formats.ts';
import { createRowWriter } from './row-writer.ts';

/**
 * Prints a document: as JSON, its list as lines or CSV, or in a form for people.
 *
 * @param from - the list whose rows are printed, or the name of the object in the document whose fields are picked too
 */
export async function emit(
  document: object,
  format: Format,
  from: ListOf | string | undefined,
  forPeople: () => void | Promise<void>,
): Promise<void> {
  if (isForPeople(format)) await forPeople();
  else if (typeof from !== 'object') await emitFields(document, format, from);
  else await emitRows(document, format, from, []);
}

/** A table that is a part of a document. */
interface TableWithin extends Omit<ListOf, 'name'> {
  readonly rows: readonly object[];
}

/** Prints a document with a table in it, as `emit` does. CSV has only the rows of the table. */
export async function emitWithTable(
  document: object,
  format: Format,
  { rows, ...table }: TableWithin,
  forPeople: () => void | Promise<void>,
): Promise<void> {
  if (format.csv) await emitRows({ rows }, format, { ...table, name: 'rows' }, []);
  else await emit(document, format, undefined, forPeople);
}

/** The texts around the table of a list. */
export interface TableTexts {
  /** What is said on standard error if there are no rows. */
  readonly none: string;
  /** Says more on standard error, below the rows. */
  readonly after?: () => void;
}

/** Prints the list of a document: as data in a format, or as a table for people. */
export async function emitList<Row extends object>(
  document: object,
  format: Format,
  list: ListOf,
  columns: readonly Column<Row>[],
  { none, after }: TableTexts,
): Promise<void> {
  if (isForPeople(format) && rowsOf(document, list).length === 0) return remark(none);
  await emitRows(document, format, list, columns);
  if (isForPeople(format)) after?.();
}

async function emitRows<Row extends object>(
  document: object,
  format: Format,
  list: ListOf,
  columns: readonly Column<Row>[],
): Promise<void> {
  const { json, jsonl, jq } = format;
  // A short list is part of a document with other fields.
  if (json === true || (json === undefined && jsonl === undefined && jq !== undefined)) {
    return await printJson(JSON.stringify(document), jq);
  }
  const writer = await createRowWriter(format, list, columns);
  const rows = rowsOf(document, list) as readonly Row[];
  await writer.write(rows);
  // The fields of rows come without the rest of the document.
  await writer.end(null);
}

/** Prints fields of a document that is no list. */
async function emitFields(
  document: object,
  { json = true, jq }: Format,
  from: string | undefined,
): Promise<void> {
  const fields = json === true ? document : withFieldsOf(from, document);
  await printJson(toJson(fields, json), jq);
}

/** Prints JSON, or what an expression of jq makes of it. */
async function printJson(text: string, jq: string | undefined): Promise<void> {
  if (jq === undefined) return await printPiece(`${text}\n`);
  const { compileJq } = await import('./jq.ts');
  await printPiece(await (await compileJq(jq))(text));
}

/**
 * Prints the answer of a change. The change is made already, so an unknown field of `--json` or a wrong `--jq` must neither
 * count as a failure nor lose the answer, which may contain a secret that is shown only once.
 */
export async function emitChange(
  document: object,
  format: Format,
  forPeople: () => void | Promise<void>,
): Promise<void> {
  try {
    await emit(document, format, undefined, forPeople);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FailedError)) throw error;
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

/** Prints one of the records that arrive one after another: as a line of JSON, or what `--jq` makes of it. */
export async function emitRecord(record: object, { json = true, jq }: Format): Promise<void> {
  await printJson(toJson(record, json), jq);
}

/** Prints a table as a part of a text for people, as wide as standard output. */
export async function emitTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  const { renderTable } = await import('./table.ts');
  print(renderTable(columns, rows, outputWidth(), paint('bold')));
}

/** Prints records as a table of all their fields. */
export async function emitRecords(records: readonly object[]): Promise<void> {
  const headings = Object.keys(records[0] ?? {});
  await emitTable(
    headings.map((heading) => ({
      heading,
      value: (record: object) => valueText((record as Record<string, unknown>)[heading]) || '-',
    })),
    records,
  );
}

/** Returns a document with the fields of an object in it, after its own. */
function withFieldsOf(name: string | undefined, document: object): object {
  return name === undefined
    ? document
    : { ...document, ...(document as Record<string, object>)[name], ...document };
}
