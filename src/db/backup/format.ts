import type { Client } from 'pg';
import { z } from 'zod';
import { ExpectedError } from '../../shared/errors.ts';

// The format of a backup file, described in docs/backup-format.md. Change the version with the format.

/** The version that this program writes, and the newest that it reads. */
export const formatVersion = 1;

/** The first line of a backup. */
export const header = z.object({
  format: z.literal('backoffice-backup'),
  version: z.int().positive(),
  /** The moment of the data, ISO 8601 UTC. */
  created_at: z.string(),
  /** The version of the program. */
  backoffice: z.string(),
  /** The commit of the program, if it is known. Version 0.1.0 did not write it. */
  commit: z.string().nullable().default(null),
  /** The version of the server, such as `18.1`. */
  postgres: z.string(),
  /** The names of the migrations that the database had applied, in order. */
  migrations: z.array(z.string()).min(1),
});

export type BackupHeader = z.output<typeof header>;

/** The line before the rows of a table, which are in the text format of COPY. */
export const tableStart = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });

export type TableStart = z.output<typeof tableStart>;

/** The line that ends the rows of a table, as in the scripts of pg_dump. */
export const endOfRows = '\\.';

/** The line after the rows of a table. */
export const tableEnd = z.object({ rows: z.int().nonnegative() });

/** The line after the tables: the last value of each sequence, and whether it was handed out. */
export const sequences = z.object({ sequences: z.record(z.string(), z.tuple([z.string(), z.boolean()])) });

export type Sequences = z.output<typeof sequences>['sequences'];

/** The last line: the SHA-256 of every byte before it, in hex. */
export const footer = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** A file that is not a backup, or is damaged, or that this program cannot restore. */
export class BackupError extends ExpectedError {
  override readonly name = 'BackupError';
}

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
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    order by c.relname`,
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
       and oid is distinct from to_regclass(pg_get_serial_sequence('public.migrations', 'id'))
     order by relname`,
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
