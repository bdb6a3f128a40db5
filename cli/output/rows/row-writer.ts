import type { Column } from '../../terminal/columns/column.ts';
import { print, printPiece } from '../../terminal/terminal.ts';
import type { Format } from '../formats.ts';
import { fieldText, knownFields, type ListOf, pickFields } from './list-of.ts';
import { pageWriter, type RowWriter } from './page-writer.ts';

/**
 * Creates the writer of a format.
 *
 * @param columns - the columns of the table for people
 * @throws UsageError for a field or column that does not fit the list, before anything is printed
 */
export async function createRowWriter<Row extends object>(
  format: Format,
  list: ListOf,
  columns: readonly Column<Row>[],
): Promise<RowWriter<Row>> {
  const { json, jsonl, csv, jq, quiet } = format;
  if (quiet) return lineWriter((row) => fieldText(row, list.id));
  if (csv) return await csvWriter(list, format.columns);
  if (jsonl !== undefined) return await jsonLineWriter(list, jsonl, jq);
  if (json !== undefined || jq !== undefined) return await jsonWriter(list, json ?? true, jq);
  const { tableWriter } = await import('./table-writer.ts');
  return await tableWriter(list, columns, format.columns);
}

/** Prints a line for each row. */
const lineWriter = <Row>(lineOf: (row: Row) => string) =>
  pageWriter<Row>((rows) => printPiece(rows.map((row) => `${lineOf(row)}\n`).join('')));

async function csvWriter<Row extends object>(
  list: ListOf,
  asked: string | undefined,
): Promise<RowWriter<Row>> {
  const { renderCsv } = await import('../csv.ts');
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
  const { compileJq } = await import('../jq.ts');
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
  let whole = '';
  const put = async (text: string) => {
    if (expression === undefined) await printPiece(text);
    else whole += text;
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
      if (expression === undefined) return print('');
      const { compileJq } = await import('../jq.ts');
      await printPiece(await (await compileJq(expression))(whole));
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
