import type { Column } from '../terminal/columns.ts';
import { isOnTerminal, outputWidth, printLine, printPiece } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { ago } from '../terminal/time.ts';
import { paint } from '../terminal/tones.ts';
import { checkFields, type Format, fieldText, knownFields, type ListOf, pickFields } from './formats.ts';
import { compileJq, printJson } from './jq.ts';
import { createTable } from './table.ts';

/** Prints the rows of a list as they come, a page at a time: the memory stays flat for any number of rows. */
export interface RowWriter<Row> {
  /** Prints a page, which may be empty. */
  write(rows: readonly Row[]): Promise<void>;
  /**
   * Prints what follows the last page.
   *
   * @param nextCursor - where the rows go on that the caller did not ask for
   */
  end(nextCursor: string | null): Promise<void>;
}

/**
 * Creates the writer of a format.
 *
 * @param columns - the columns of the table for people
 * @throws UsageError for a field or column that does not fit the list, before anything is printed
 */
export async function createRowWriter<Row extends object>(
  { json, jsonl, csv, jq, quiet, columns: asked }: Format,
  list: ListOf,
  columns: readonly Column<Row>[],
): Promise<RowWriter<Row>> {
  if (quiet) return lineWriter((row) => fieldText(row, list.id));
  if (csv) return await csvWriter(list, asked);
  if (jsonl !== undefined) return await jsonLineWriter(list, jsonl, jq);
  if (json !== undefined || jq !== undefined) return await jsonWriter(list, json ?? true, jq);
  return tableWriter(asked === undefined ? columns : await chooseColumns(columns, asked, list));
}

/** Returns a writer that prints each page that has rows, and nothing after the last. */
function pageWriter<Row>(printPage: (rows: readonly Row[]) => Promise<void>): RowWriter<Row> {
  return {
    async write(rows) {
      if (rows.length > 0) await printPage(rows);
    },
    end: async () => {},
  };
}

/** Prints a line for each row. */
const lineWriter = <Row>(lineOf: (row: Row) => string) =>
  pageWriter<Row>((rows) => printPiece(rows.map((row) => `${lineOf(row)}\n`).join('')));

async function csvWriter<Row extends object>(
  list: ListOf,
  asked: string | undefined,
): Promise<RowWriter<Row>> {
  const { renderCsv } = await import('./csv.ts');
  let names = asked === undefined ? undefined : await knownFields(asked, list);
  let isFirst = true;
  return {
    async write(rows) {
      names ??= rows[0] === undefined ? await list.fields() : Object.keys(rows[0]);
      if (isFirst || rows.length > 0) await printPiece(`${renderCsv(rows, names, isFirst)}\n`);
      isFirst = false;
    },
    end: async () => {},
  };
}

async function jsonLineWriter<Row extends object>(
  list: ListOf,
  fields: true | string,
  expression: string | undefined,
): Promise<RowWriter<Row>> {
  const toText = await jsonOf<Row>(list, fields);
  if (expression === undefined) return lineWriter(toText);
  const run = await compileJq(expression);
  return pageWriter(async (rows) => await printPiece(await run(rows.map(toText).join('\n'))));
}

/** Prints one document: whole rows and the cursor of what follows, or only some fields of the rows. */
async function jsonWriter<Row extends object>(
  list: ListOf,
  fields: true | string,
  expression: string | undefined,
): Promise<RowWriter<Row>> {
  const toText = await jsonOf<Row>(list, fields);
  // jq needs the whole document.
  let kept = '';
  const put = async (text: string) => {
    if (expression === undefined) await printPiece(text);
    else kept += text;
  };
  const head = `{${JSON.stringify(list.name)}:[`;
  let before = head;
  return {
    async write(rows) {
      if (rows.length === 0 && before !== head) return;
      await put(before + rows.map(toText).join(','));
      before = rows.length > 0 ? ',' : '';
    },
    async end(nextCursor) {
      await put(fields === true ? `],"nextCursor":${JSON.stringify(nextCursor)}}` : ']}');
      await printJson(kept, expression);
    },
  };
}

/** Returns the function that writes a row as JSON: the whole row, or only some of its fields. */
async function jsonOf<Row extends object>(
  list: ListOf,
  fields: true | string,
): Promise<(row: Row) => string> {
  if (fields === true) return (row) => JSON.stringify(row);
  const names = await knownFields(fields, list);
  return (row) => JSON.stringify(pickFields(row, names));
}

/**
 * Prints a table on a terminal. A pipe or file gets a line of each row with tabs between the values: without headings,
 * colours and padding, and with exact times and numbers, so that `cut` and `awk` read it.
 */
function tableWriter<Row>(columns: readonly Column<Row>[]): RowWriter<Row> {
  if (!isOnTerminal())
    return lineWriter((row) =>
      columns.map(({ value, exact }) => printable((exact ?? value)(row))).join('\t'),
    );
  const render = createTable(columns, outputWidth(), paint('bold'));
  // Waits for a pager, which a person reads slowly and may close before the end.
  return pageWriter((rows) => printLine(render(rows)));
}

/**
 * Returns the columns that `--columns` names: those of the table by their heading or field, and any other field of the rows.
 *
 * @throws UsageError for an unknown name
 */
async function chooseColumns<Row extends object>(
  columns: readonly Column<Row>[],
  asked: string,
  list: ListOf,
): Promise<readonly Column<Row>[]> {
  const names = asked.split(',').map((name) => name.trim());
  const named = columns.flatMap((column) =>
    [column.field ?? nameOf(column), nameOf(column)].map((name) => [name, column] as const),
  );
  // Of two columns with one name, the first.
  const found = new Map(named.toReversed());
  const own = columns.map(nameOf).filter((name) => name !== '');
  checkFields(
    names.filter((name) => !found.has(name)),
    [...new Set([...own, ...(await list.fields())])],
    'column',
  );
  // A chosen column is never dropped.
  return names.map((name) => {
    const { dropAs: _dropAs, ...column } = found.get(name) ?? fieldColumn(name);
    return column as Column<Row>;
  });
}

const nameOf = <Row>({ heading }: Column<Row>) => heading.replaceAll(' ', '_');

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Creates a column of a field that has none in the table. */
function fieldColumn<Row extends object>(name: string): Column<Row> {
  const exact = (row: Row) => fieldText(row, name);
  return {
    heading: name.replaceAll('_', ' '),
    value: (row) => (instant.test(exact(row)) ? ago(exact(row)) : exact(row)),
    exact,
    cut: true,
  };
}
