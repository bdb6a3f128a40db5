import type { Client } from 'pg';
import { migrationsTable } from '../migrate/status.ts';

/** A table with the columns that hold data: not those that Postgres generates. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The names of the tables that its rows refer to, except itself. */
  readonly refersTo: readonly string[];
}

/** Returns the tables of the service that hold data, each after those that its rows refer to. */
export async function readTables(connection: Client): Promise<BackupTable[]> {
  const { rows } = await connection.query<Omit<BackupTable, 'columns'> & { columns: string[] | null }>(
    `
    select
      c.relname as name,
      (
        select array_agg(a.attname::text order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns,
      array(
        select f.confrelid::regclass::text
        from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as "refersTo"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> $1
    order by c.relname`,
    [migrationsTable],
  );
  // One without columns exists only to be locked.
  return inOrderOfReferences(
    rows.flatMap(({ columns, ...table }) => (columns === null ? [] : [{ ...table, columns }])),
  );
}

/** Sorts the tables so that a foreign key finds its row: constraints are checked when a row is copied. */
function inOrderOfReferences(tables: readonly BackupTable[]): BackupTable[] {
  const sorted: BackupTable[] = [];
  const rest = new Set(tables);
  while (rest.size > 0) {
    const waiting = new Set([...rest].map(({ name }) => name));
    const free = [...rest].filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...waiting].join(', ')}.`);
    for (const table of free) {
      sorted.push(table);
      rest.delete(table);
    }
  }
  return sorted;
}

/** Returns the last value of each sequence of these tables, and whether it was handed out. */
export async function readSequences(connection: Client): Promise<Record<string, [string, boolean]>> {
  const { rows: names } = await connection.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S'
       and oid is distinct from to_regclass(pg_get_serial_sequence($1, 'id'))
     order by relname`,
    [`public.${migrationsTable}`],
  );
  const found: Record<string, [string, boolean]> = {};
  for (const { name } of names) {
    const { rows } = await connection.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from public.${connection.escapeIdentifier(name)}`,
    );
    for (const { value, called } of rows) found[name] = [value, called];
  }
  return found;
}

/** Returns the name and columns of a table as COPY takes them. */
export function copyTarget(connection: Client, { name, columns }: Omit<BackupTable, 'refersTo'>): string {
  const names = columns.map((column) => connection.escapeIdentifier(column));
  return `public.${connection.escapeIdentifier(name)} (${names.join(', ')})`;
}
