import type { Column } from '../terminal/columns.ts';
import { isOnTerminal, outputWidth, printLine, printPiece } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { ago } from '../terminal/time.ts';
import { paint } from '../terminal/tones.ts';
import { checkFields, type Format, fieldText, knownFields, type ListOf, pickFields } from './formats.ts';
import { compileJq, printJson } from './jq.ts';
import { createTable } from './table.ts';

/** Some of the rows of a list. */
interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the rows go on that the caller did not ask for. */
  readonly nextCursor: string | null;
}

/** Prints the rows of a list as they come, a page at a time: the memory stays flat for any number of rows. */
type PrintPages<Row> = (pages: AsyncIterable<Page<Row>> | Iterable<Page<Row>>) => Promise<void>;

/**
 * Returns what prints the rows of a list in a format.
 *
 * @param columns - the columns of the table for people
 * @throws UsageError for a field or column that does not fit the list, before anything is printed
 */
export async function rowPrinter<Row extends object>(
  { json, jsonl, csv, jq, quiet, columns: asked }: Format,
  list: ListOf,
  columns: readonly Column<Row>[],
): Promise<PrintPages<Row>> {
  if (quiet) return eachLine((row) => fieldText(row, list.id));
  if (csv) return await csvPrinter(list, asked);
  if (jsonl !== undefined) return await jsonLinePrinter(list, jsonl, jq);
  if (json !== undefined || jq !== undefined) return await jsonPrinter(list, json ?? true, jq);
  return tablePrinter(asked === undefined ? columns : await chooseColumns(columns, asked, list));
}

/** Prints each page that has rows. */
const eachPage =
  <Row>(print: (rows: readonly Row[]) => Promise<void>): PrintPages<Row> =>
  async (pages) => {
    for await (const { rows } of pages) if (rows.length > 0) await print(rows);
  };

/** Prints a line for each row. */
const eachLine = <Row>(lineOf: (row: Row) => string) =>
  eachPage<Row>((rows) => printPiece(rows.map((row) => `${lineOf(row)}\n`).join('')));

async function csvPrinter<Row extends object>(
  list: ListOf,
  asked: string | undefined,
): Promise<PrintPages<Row>> {
  const { renderCsv } = await import('./csv.ts');
  let names = asked === undefined ? undefined : await knownFields(asked, list);
  return async (pages) => {
    let isFirst = true;
    for await (const { rows } of pages) {
      names ??= rows[0] === undefined ? await list.fields() : Object.keys(rows[0]);
      if (isFirst || rows.length > 0) await printPiece(`${renderCsv(rows, names, isFirst)}\n`);
      isFirst = false;
    }
  };
}

async function jsonLinePrinter<Row extends object>(
  list: ListOf,
  fields: true | string,
  expression: string | undefined,
): Promise<PrintPages<Row>> {
  const toText = await jsonOf<Row>(list, fields);
  if (expression === undefined) return eachLine(toText);
  const run = await compileJq(expression);
  return eachPage(async (rows) => await printPiece(await run(rows.map(toText).join('\n'))));
}

/** Prints one document: whole rows and the cursor of what follows, or only some fields of the rows. */
async function jsonPrinter<Row extends object>(
  list: ListOf,
  fields: true | string,
  expression: string | undefined,
): Promise<PrintPages<Row>> {
  const toText = await jsonOf<Row>(list, fields);
  // jq needs the whole document.
  let kept = '';
  const put = async (text: string) => {
    if (expression === undefined) await printPiece(text);
    else kept += text;
  };
  return async (pages) => {
    const head = `{${JSON.stringify(list.name)}:[`;
    let before = head;
    let end: string | null = null;
    for await (const { rows, nextCursor } of pages) {
      end = nextCursor;
      if (rows.length === 0) continue;
      await put(before + rows.map(toText).join(','));
      before = ',';
    }
    const tail = fields === true ? `],"nextCursor":${JSON.stringify(end)}}` : ']}';
    await put(before === head ? head + tail : tail);
    await printJson(kept, expression);
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
function tablePrinter<Row>(columns: readonly Column<Row>[]): PrintPages<Row> {
  if (!isOnTerminal())
    return eachLine((row) => columns.map(({ value, exact }) => printable((exact ?? value)(row))).join('\t'));
  const render = createTable(columns, outputWidth(), paint('bold'));
  // Waits for a pager, which a person reads slowly and may close before the end.
  return eachPage((rows) => printLine(render(rows)));
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
