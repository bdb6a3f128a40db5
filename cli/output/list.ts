import type { Command } from 'commander';
import type { InputOf, ListId, RowsField } from '../../src/contract/registry.ts';
import type { Sorts } from '../../src/contract/vocabulary.ts';
import type { Access } from '../access/access.ts';
import { type ListPlace, pagesOf, type Rows } from '../access/pages.ts';
import { time, wholeNumber } from '../input/arguments.ts';
import { sortOption } from '../input/words.ts';
import { isOnTerminal, printPiece, remark } from '../terminal.ts';
import { defaultRows, type Format, isForPeople, splitFormat } from './formats.ts';
import { grouped } from './number.ts';
import { type ListOf, listIn } from './rows/list-of.ts';
import { createRowWriter } from './rows/row-writer.ts';
import type { Column } from './table.ts';

/** The rows' name for people, if it is not the name of the field in the answer. */
const rowNames: Partial<Record<ListId, string>> = {
  'audit.list': 'audit records',
  'issues.history': 'changes',
};

type Filters = Readonly<Record<string, string | undefined>>;

/** The number of rows that people see by default. */
const defaultTableRows = 30;

/** The options of every list. Any other option of a list command is a filter of its operation. */
export interface ListOptions extends Format {
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The number of rows; 0 for all. */
  readonly limit?: number | undefined;
  /** The fields to add to each row: `assignee,labels`. */
  readonly include?: string | undefined;
}

/** Descriptions of a list's options, where the default ones do not fit. */
interface ListTexts {
  /** What the list can be sorted by. */
  readonly sorts: Sorts;
  readonly search: string;
  readonly since?: string;
  readonly until?: string;
}

/** Describes a list that is read page by page. */
export function pagedList<Id extends ListId>(id: Id, name: RowsField<Id>, idField?: string): PagedList<Id> {
  return { ...listIn(id, name, idField), operation: id };
}

/** A list that is read page by page. */
export type PagedList<Id extends ListId> = ListOf & ListPlace<Id>;

/** Adds the options that select the rows of a list to a command. */
export function withListOptions<C extends Command>(command: C, texts: ListTexts): C {
  const {
    sorts,
    search,
    since = 'only created at or after this time: 2026-01-31, yesterday, or 7d',
    until = 'only created before this time',
  } = texts;
  return command
    .option('--search <words>', search)
    .option('--since <time>', since, time)
    .option('--until <time>', until, time)
    .addOption(sortOption(sorts))
    .option('--limit <number>', 'maximum number; 0 for all', wholeNumber(0));
}

/**
 * Prints a list: the newest rows on a terminal, all rows as data. A long list is never in memory as a whole: JSON is
 * streamed, the other formats are read page by page.
 *
 * @param toShown - returns the rows of a page as people see them
 * @returns the number of rows, if it is known
 */
export async function showList<Id extends ListId>(
  access: Access,
  list: PagedList<Id>,
  options: ListOptions,
  columns: readonly Column<Rows[Id]>[],
  toShown: (rows: readonly Rows[Id][]) => Promise<readonly Rows[Id][]> = async (rows) => rows,
): Promise<number | undefined> {
  const { format, others } = splitFormat(options);
  const { search: q, limit: asked, include, ...rest } = others;
  const parameters: Filters = { ...rest, q, include };
  const { operation: id } = list;
  const limit = asked ?? defaultRows(format, defaultTableRows);
  if (format.json === true && format.jq === undefined && limit === 0) {
    await access.stream(id, parameters as InputOf<Id>, printPiece);
    await printPiece('\n');
    return undefined;
  }
  const shown = { ...list, fields: () => list.fields(include) };
  const writer = await createRowWriter<Rows[Id] & object>(format, shown, columns);
  let count = 0;
  let nextCursor: string | null = null;
  for await (const page of pagesOf(access, list, parameters, limit)) {
    const rows = isForPeople(format) ? await toShown(page.rows) : page.rows;
    await writer.write(rows as readonly (Rows[Id] & object)[]);
    count += page.rows.length;
    nextCursor = page.nextCursor;
  }
  await writer.end(nextCursor);
  if (!isForPeople(format)) return count;
  const rowName = rowNames[id] ?? list.name;
  if (count === 0) remark(isFiltered(parameters) ? `No ${rowName} match.` : `No ${rowName}.`);
  if (nextCursor === null) return count;
  const which = options.sort === undefined ? 'newest' : 'first';
  const total = await countRows(access, id, parameters);
  const rows = total === undefined ? rowName : `of ${grouped(total)} ${rowName}`;
  const some = total === undefined && count === 1 ? 'one' : `${grouped(count)} ${rows}`;
  remark(`Showing the ${which} ${some}. Use --limit 0 to show all.`);
  return count;
}

function isFiltered({ sort: _sort, id: _id, include: _include, ...selecting }: Filters): boolean {
  return Object.values(selecting).some((value) => value !== undefined);
}

/** Counts the rows that match, for a person who waits for it: not those of a search, which would read all of them. */
async function countRows<Id extends ListId>(
  access: Access,
  id: Id,
  { q, sort: _sort, include: _include, ...filters }: Filters,
): Promise<number | undefined> {
  if (q !== undefined || !isOnTerminal()) return undefined;
  const input = { ...filters, limit: 1, count: 1 };
  const { total } = (await access.call(id, input as InputOf<Id>)) as { readonly total?: number };
  return total;
}
