import type { Field } from '../../../src/contract/fields/field.ts';
import type { CsvLine } from '../parts/csv.ts';
import type { CsvRun } from '../parts/csv-button.tsx';
import { type Filter, propertyOf } from './address.ts';
import type { Assignee } from './admins.ts';
import type { Resource } from './resource.ts';
import type { AnyRow } from './rows.ts';

const pageRows = 1_000;

/** Reads all rows of a filter, page by page. */
export async function* allRows<Row extends AnyRow>(
  { read }: Resource<Row>,
  filter: Filter,
  signal?: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  do {
    const page = await read(filter, { limit: pageRows, cursor }, signal);
    yield page.rows;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** Returns all rows of a filter as lines of a CSV file: every field that people see, below their labels. */
export async function linesOf<Row extends AnyRow>(
  resource: Resource<Row>,
  filter: Filter,
  { signal, onProgress }: CsvRun,
): Promise<readonly CsvLine[]> {
  const fields = Object.entries<Field>(resource.noun.fields);
  const lines: CsvLine[] = [fields.map(([, { label }]) => label)];
  for await (const rows of allRows(resource, filter, signal)) {
    for (const row of rows)
      lines.push(fields.map(([name, field]) => cellOf(row[propertyOf(name, field) as keyof Row], field)));
    onProgress(lines.length - 1);
  }
  return lines;
}

function cellOf(value: unknown, { kind }: Field): unknown {
  if (Array.isArray(value)) return value.join(', ');
  return kind === 'admin' ? (value as Assignee | null)?.email : value;
}
