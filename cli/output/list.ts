import type { InputOf, ListId } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { type ListPlace, pagesOf, type Rows } from '../access/pages.ts';
import type { Column } from '../terminal/columns.ts';
import { isOnTerminal, printPiece, remark } from '../terminal/terminal.ts';
import { grouped } from '../terminal/text.ts';
import { defaultRows, type Format, isForPeople, type ListOf } from './formats.ts';
import { rowPrinter } from './rows.ts';

/** The number of rows that people see by default. */
const defaultTableRows = 30;

/** What is printed of a list, and how. */
export interface ListRequest<Row> {
  readonly format: Format;
  /** The input of its operation: what selects and sorts the rows, and what is added to each. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** The number of rows; 0 for all. */
  readonly limit: number | undefined;
  readonly columns: readonly Column<Row>[];
  /** What people call the rows. */
  readonly rowName: string;
  /** Returns the rows of a page as people see them. */
  readonly toShown?: ((rows: readonly Row[]) => Promise<readonly Row[]>) | undefined;
}

/**
 * Prints a list: the newest rows on a terminal, all rows as data. A long list is never in memory as a whole: JSON is
 * streamed, the other formats are read page by page.
 *
 * @returns the number of rows, if it is known
 */
export async function showList<Id extends ListId>(
  access: Access,
  list: ListOf & ListPlace<Id>,
  request: ListRequest<Rows[Id]>,
): Promise<number | undefined> {
  const { format, parameters, columns, rowName, toShown } = request;
  const { operation: id } = list;
  const limit = request.limit ?? defaultRows(format, defaultTableRows);
  if (format.json === true && format.jq === undefined && limit === 0) {
    await access.stream(id, parameters as InputOf<Id>, printPiece);
    await printPiece('\n');
    return undefined;
  }
  const shown = { ...list, fields: () => list.fields(parameters.include) };
  const print = await rowPrinter<Rows[Id] & object>(format, shown, columns);
  let count = 0;
  let nextCursor = null as string | null;
  async function* shownPages() {
    for await (const page of pagesOf(access, list, parameters, limit)) {
      const rows = toShown !== undefined && isForPeople(format) ? await toShown(page.rows) : page.rows;
      yield { rows: rows as readonly (Rows[Id] & object)[], nextCursor: page.nextCursor };
      count += rows.length;
      nextCursor = page.nextCursor;
    }
  }
  await print(shownPages());
  if (!isForPeople(format)) return count;
  if (count === 0) remark(isFiltered(parameters) ? `No ${rowName} match.` : `No ${rowName}.`);
  if (nextCursor === null) return count;
  const which = parameters.sort === undefined ? 'newest' : 'first';
  const total = await countRows(access, id, parameters);
  const rows = total === undefined ? rowName : `of ${grouped(total)} ${rowName}`;
  const some = total === undefined && count === 1 ? 'one' : `${grouped(count)} ${rows}`;
  remark(`Showing the ${which} ${some}. Use --limit 0 to show all.`);
  return count;
}

type Parameters = ListRequest<never>['parameters'];

function isFiltered({ sort: _sort, id: _id, include: _include, ...selecting }: Parameters): boolean {
  return Object.values(selecting).some((value) => value !== undefined);
}

/** Counts the rows that match, for a person who waits for it: not those of a search, which would read all of them. */
async function countRows<Id extends ListId>(
  access: Access,
  id: Id,
  { q, sort: _sort, include: _include, ...filters }: Parameters,
): Promise<number | undefined> {
  if (q !== undefined || !isOnTerminal()) return undefined;
  const input = { ...filters, limit: 1, count: 1 };
  const { total } = (await access.call(id, input as InputOf<Id>)) as { readonly total?: number };
  return total;
}
