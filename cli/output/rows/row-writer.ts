import { print, printPiece } from '../../terminal.ts';
import type { Format } from '../formats.ts';
import type { Column } from '../table.ts';
import { fieldText, knownFields, type ListOf, pickFields } from './list-of.ts';

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
 * @throws UsageError for a field, column or template that does not fit the list, before anything is printed
 */
export async function createRowWriter<Row extends object>(
  format: Format,
  list: ListOf,
  columns: readonly Column<Row>[],
): Promise<RowWriter<Row>> {
  const { json, jsonl, csv, jq, template, quiet } = format;
  if (quiet) return lineWriter((row) => fieldText(row, list.id));
  if (csv) return await csvWriter(list, format.columns);
  if (jsonl !== undefined) return await jsonLineWriter(list, jsonl, jq);
  if (json !== undefined || jq !== undefined) return await jsonWriter(list, json ?? true, jq);
  if (template !== undefined) {
    const { compileTemplate } = await import('../template.ts');
    const render = compileTemplate(template, await list.fields());
    return textWriter(render);
  }
  const { tableWriter } = await import('./table-writer.ts');
  return await tableWriter(list, columns, format.columns);
}

/** Prints a text for each row, one after another. */
function textWriter<Row>(textOf: (row: Row) => string): RowWriter<Row> {
  return {
    write: async (rows) => {
      if (rows.length > 0) await printPiece(rows.map(textOf).join(''));
    },
    end: async () => {},
  };
}

const lineWriter = <Row>(lineOf: (row: Row) => string) => textWriter<Row>((row) => `${lineOf(row)}\n`);

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
  const names = fields === true ? undefined : await knownFields(fields, list);
  const toText = (row: Row) => JSON.stringify(names === undefined ? row : pickFields(row, names));
  if (expression === undefined) return lineWriter(toText);
  const { compileJq } = await import('../jq.ts');
  const run = await compileJq(expression);
  return {
    write: async (rows) => {
      if (rows.length > 0) await printPiece(await run(rows.map(toText).join('\n')));
    },
    end: async () => {},
  };
}

/** Prints one document: whole rows and the cursor of what follows, or only some fields of the rows. */
async function jsonWriter<Row extends object>(
  list: ListOf,
  fields: true | string,
  expression: string | undefined,
): Promise<RowWriter<Row>> {
  const names = fields === true ? undefined : await knownFields(fields, list);
  const toText = (row: Row) => JSON.stringify(names === undefined ? row : pickFields(row, names));
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
      await put(names === undefined ? `],"nextCursor":${JSON.stringify(nextCursor)}}` : ']}');
      if (expression === undefined) return print('');
      const { compileJq } = await import('../jq.ts');
      await printPiece(await (await compileJq(expression))(whole));
    },
  };
}
