import type { Command } from 'commander';
import type { InputOf, ListId, OutputOf, RowsField } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { time, wholeNumber } from '../input/arguments.ts';
import { print, printPiece, remark } from '../terminal.ts';
import { emit, emitTable, type Format, withFormats } from './emit.ts';
import type { Column } from './table.ts';

/** What people call the rows, if not by the name of their field in the answer. */
const called: Partial<Record<ListId, string>> = { 'audit.list': 'audit records' };

type Filters = Readonly<Record<string, string | undefined>>;

type RowIn<Answer, Name extends string> =
  Answer extends Readonly<Record<Name, readonly (infer Row)[]>> ? Row : never;

/** A row of a list. */
export type Rows = { readonly [Id in ListId]: RowIn<OutputOf<Id>, RowsField<Id>> };

const tableRows = 30;
const pageRows = 1_000;

/** The options that every list has; whatever else a command adds is a filter of its operation. */
export interface ListOptions extends Format {
  readonly search?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  /** How many rows; 0 for all. */
  readonly limit?: number;
}

/** What the options of a list say, where the usual words do not fit. */
interface ListTexts {
  readonly search: string;
  readonly since?: string;
  readonly until?: string;
}

/** Gives a command the options and the formats that every list has. */
export function withListOptions<C extends Command>(command: C, texts: ListTexts): C {
  const {
    search,
    since = 'only from this time on: 2026-01-31, or 7d for the last seven days',
    until = 'only before this time',
  } = texts;
  command
    .option('--search <text>', search)
    .option('--since <time>', since, time)
    .option('--until <time>', until, time)
    .option('--limit <number>', 'how many at most; 0 for all', wholeNumber(0));
  return withFormats(command, 'json and csv');
}

/**
 * Shows a list: for people the newest rows, as JSON or CSV all of them. However long it is, it is never whole in
 * memory: JSON passes through as it comes, CSV page by page.
 */
export async function showList<Id extends ListId>(
  access: Access,
  id: Id,
  options: ListOptions,
  columns: readonly Column<Rows[Id]>[],
): Promise<void> {
  const { json, csv, search: q, limit: wanted, ...others } = options;
  // Not loaded before: it would slow down `--help`.
  const { rowsField } = await import('../../src/contract/registry.ts');
  const name = rowsField(id);
  const filters: Filters = { ...others, q };
  const limit = wanted ?? (json === undefined && csv === undefined ? tableRows : 0);
  if (json === true && limit === 0) {
    await access.stream(id, filters as InputOf<Id>, printPiece);
    return print('');
  }
  if (csv) return await printCsv(pagesOf(access, id, name, filters, limit));

  const rows: Rows[Id][] = [];
  let nextCursor: string | null = null;
  for await (const page of pagesOf(access, id, name, filters, limit)) {
    rows.push(...page.rows);
    nextCursor = page.nextCursor;
  }
  await emit({ [name]: rows, nextCursor }, options, name, async () => {
    if (rows.length === 0) {
      const isFiltered = Object.values(filters).some((value) => value !== undefined);
      return remark(`There are no ${called[id] ?? name}${isFiltered ? ' of that kind' : ''}.`);
    }
    await emitTable(columns, rows);
    if (nextCursor !== null) remark(`Shown are ${rows.length}, and there are more: --limit 0 shows all.`);
  });
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
    const size = Math.min(left, pageRows);
    const input = { ...filters, limit: size, ...(cursor === null ? {} : { cursor }) };
    const document = (await access.call(id, input as InputOf<Id>)) as Record<string, unknown>;
    const rows = document[name] as readonly Rows[Id][];
    cursor = (document.nextCursor as string | null | undefined) ?? null;
    left -= rows.length;
    yield { rows, nextCursor: cursor };
  } while (cursor !== null && left > 0);
}

async function printCsv(pages: AsyncIterable<Page<object>>): Promise<void> {
  const { renderCsv } = await import('./csv.ts');
  let first = true;
  for await (const { rows } of pages) {
    if (rows.length > 0) await printPiece(`${renderCsv(rows, first)}\n`);
    first = false;
  }
}
