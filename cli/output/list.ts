import type { Command } from 'commander';
import type { InputOf, ListId, OutputOf, RowsField } from '../../src/contract/registry.ts';
import type { Sorts } from '../../src/contract/sorts.ts';
import type { Access } from '../access/access.ts';
import { time, wholeNumber } from '../input/arguments.ts';
import { sortOption } from '../input/words.ts';
import { print, printPiece, remark } from '../terminal.ts';
import { emitTable, type Format, knownFields, type ListOf, listIn, pickFields, withFormats } from './emit.ts';
import type { Column } from './table.ts';

/** The rows' name for people, if it is not the name of the field in the answer. */
const rowNames: Partial<Record<ListId, string>> = {
  'audit.list': 'audit records',
  'issues.history': 'changes',
};

type Filters = Readonly<Record<string, string | undefined>>;

type RowIn<Answer, Name extends string> =
  Answer extends Readonly<Record<Name, readonly (infer Row)[]>> ? Row : never;

/** The rows of each list. */
export type Rows = { readonly [Id in ListId]: RowIn<OutputOf<Id>, RowsField<Id>> };

/** The number of rows that people see by default. */
const defaultTableRows = 30;
const pageSize = 1_000;

/** The options of every list. Any other option of a list command is a filter of its operation. */
export interface ListOptions extends Format {
  readonly search?: string;
  readonly sort?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  /** The number of rows; 0 for all. */
  readonly limit?: number;
  /** A field to add to each row. */
  readonly include?: string;
}

/** Descriptions of a list's options, where the default ones do not fit. */
interface ListTexts {
  /** What the list can be sorted by. */
  readonly sorts: Sorts;
  readonly search: string;
  readonly since?: string;
  readonly until?: string;
}

/** Adds the options and formats of every list to a command. */
export function withListOptions<C extends Command>(command: C, texts: ListTexts): C {
  const {
    sorts,
    search,
    since = 'only created at or after this time: 2026-01-31, or 7d for the last seven days',
    until = 'only created before this time',
  } = texts;
  command
    .option('--search <words>', search)
    .option('--since <time>', since, time)
    .option('--until <time>', until, time)
    .addOption(sortOption(sorts))
    .option('--limit <number>', 'maximum number; 0 for all', wholeNumber(0));
  return withFormats(command, 'json and csv');
}

/**
 * Prints a list: the newest rows for people, all rows as JSON or CSV. A long list is never in memory as a whole: JSON is
 * streamed, CSV is read page by page.
 */
export async function showList<Id extends ListId>(
  access: Access,
  id: Id,
  options: ListOptions,
  columns: readonly Column<Rows[Id]>[],
): Promise<void> {
  const { json, csv, search: q, limit: requestedLimit, include, ...others } = options;
  // Imported on demand, because it would slow down `--help`.
  const { rowsField } = await import('../../src/contract/registry.ts');
  const name = rowsField(id);
  const list = listIn(id, name, include);
  const filters: Filters = { ...others, q };
  const parameters = { ...filters, include };
  const limit = requestedLimit ?? (json === undefined && csv === undefined ? defaultTableRows : 0);
  if (json === true && limit === 0) {
    await access.stream(id, parameters as InputOf<Id>, printPiece);
    return print('');
  }
  const pages = pagesOf(access, id, name, parameters, limit);
  if (csv) return await printCsv(pages, list);
  if (json !== undefined) return await printJson(pages, list, json);

  const rows: Rows[Id][] = [];
  let nextCursor: string | null = null;
  for await (const page of pages) {
    rows.push(...page.rows);
    nextCursor = page.nextCursor;
  }
  const rowName = rowNames[id] ?? name;
  if (rows.length === 0) {
    const { sort: _sort, id: _id, ...selecting } = filters;
    const isFiltered = Object.values(selecting).some((value) => value !== undefined);
    return remark(isFiltered ? `No ${rowName} match.` : `No ${rowName}.`);
  }
  await emitTable(columns, rows);
  if (nextCursor !== null)
    remark(
      `Showing the ${options.sort === undefined ? 'newest' : 'first'} ${rows.length} ${rowName}. Use --limit 0 to show all.`,
    );
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

async function* pagesOf<Id extends ListId>(
  access: Access,
  id: Id,
  name: RowsField<Id>,
  filters: Filters,
  limit: number,
): AsyncGenerator<Page<Rows[Id]>> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let cursor: string | null = null;
  do {
    const size = Math.min(left, pageSize);
    const input = { ...filters, limit: size, ...(cursor === null ? {} : { cursor }) };
    const document = (await access.call(id, input as InputOf<Id>)) as Record<string, unknown>;
    const rows = document[name] as readonly Rows[Id][];
    cursor = (document.nextCursor as string | null | undefined) ?? null;
    left -= rows.length;
    yield { rows, nextCursor: cursor };
  } while (cursor !== null && left > 0);
}

async function printCsv(pages: AsyncIterable<Page<object>>, list: ListOf): Promise<void> {
  const { renderCsv } = await import('./csv.ts');
  let columns: readonly string[] | undefined;
  for await (const { rows } of pages) {
    const isFirst = columns === undefined;
    columns ??= rows.length === 0 ? await list.fields() : Object.keys(rows[0] ?? {});
    if (isFirst || rows.length > 0) await printPiece(`${renderCsv(rows, columns, isFirst)}\n`);
  }
}

/**
 * Prints pages as one JSON document: whole rows and the cursor of what follows, or only some fields of the rows.
 *
 * @throws UsageError for an unknown field, before anything is printed
 */
async function printJson(
  pages: AsyncIterable<Page<object>>,
  list: ListOf,
  fields: true | string,
): Promise<void> {
  const names = fields === true ? undefined : await knownFields(fields, list);
  const toText = (row: object) => JSON.stringify(names === undefined ? row : pickFields(row, names));
  let nextCursor: string | null = null;
  let before = `{${JSON.stringify(list.name)}:[`;
  for await (const page of pages) {
    await printPiece(before + page.rows.map(toText).join(','));
    before = ',';
    nextCursor = page.nextCursor;
  }
  print(names === undefined ? `],"nextCursor":${JSON.stringify(nextCursor)}}` : ']}');
}
