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
