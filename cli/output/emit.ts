import { FailedError, UsageError } from '../errors.ts';
import type { Column } from '../terminal/columns.ts';
import { outputWidth, print, printData, remark } from '../terminal/terminal.ts';
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
import { printJson } from './jq.ts';
import { rowPrinter } from './rows.ts';
import { renderTable } from './table.ts';

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
  const print = await rowPrinter(format, list, columns);
  // The fields of rows come without the rest of the document.
  await print([{ rows: rowsOf(document, list) as readonly Row[], nextCursor: null }]);
}

/** Prints a document that is no list, or some of its fields and of those of the object in it that `from` names. */
async function emitFields(
  document: object,
  { json = true, jq }: Format,
  from: string | undefined,
): Promise<void> {
  if (json === true) return await printJson(JSON.stringify(document), jq);
  const inner = from === undefined ? {} : (document as Readonly<Record<string, object>>)[from];
  const fields = { ...document, ...inner, ...document };
  const names = json.split(',');
  checkFields(names, Object.keys(fields));
  await printJson(JSON.stringify(pickFields(fields, names)), jq);
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

/** Prints a table as a part of a text for people, as wide as standard output. */
export async function emitTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
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
