import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, DatabaseError } from 'pg';
import { from } from 'pg-copy-streams';
import { nameVersion } from '../../version.ts';
import { inTransaction, untilStopped, withConnection } from '../connection/own-connection.ts';
import { searchIndexes } from '../lists/search-indexes.ts';
import { type MigrationFile, readMigrationFiles } from '../migrate/files.ts';
import {
  addFormerParts,
  baselineOf,
  isFormerSchema,
  OldSchemaError,
  removeFormerParts,
} from '../migrate/former-schema.ts';
import { migrateUp } from '../migrate/migrate.ts';
import { readApplied } from '../migrate/status.ts';
import { BackupReader } from './backup-reader.ts';
import {
  BackupError,
  type BackupHeader,
  copyTarget,
  formatVersion,
  header,
  readTables,
  type Sequences,
  sequences,
  type TableStart,
  tableEnd,
  tableStart,
} from './format.ts';
import {
  checkTarget,
  disableTriggers,
  type EndedAccess,
  endLastingAccess,
  endSignIns,
  type KeptAccess,
  remakeSchema,
  type TableContent,
} from './restore-target.ts';
import type { BackupProgress, BackupSummary } from './write-backup.ts';

interface RestoreOptions {
  /** The URL of the role that owns the schema. */
  readonly databaseUrl: string;
  /** The URL of the role that the service runs as, if it is another. */
  readonly runtimeUrl?: string | undefined;
  readonly input: Readable;
  /** Whether to delete what the database holds. */
  readonly replace: boolean;
  /** What ends besides sessions and links. By default API tokens and recovery codes are as they were. */
  readonly end?: EndedAccess;
  readonly onHeader?: (header: BackupHeader) => void;
  /** Called before anything is deleted. If it rejects, nothing is. */
  readonly onReplace?: (content: readonly TableContent[]) => Promise<void>;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Receives lines about migrations and indexes, which may take long. */
  readonly log?: (line: string) => void;
  /** The folder of the migrations; by default this package's `migrations/`. */
  readonly folder?: string;
  /** Ends the work with the signal's reason. */
  readonly stop?: AbortSignal;
}

interface RestoreSummary extends BackupSummary {
  readonly kept: KeptAccess;
}

/**
 * Restores a backup: makes the schema of the backup and replaces all rows in one transaction, and then applies the
 * migrations that are newer. Sessions, and sign-ins and links that were not completed, end. If it fails, the database
 * keeps the rows that it had.
 *
 * @throws BackupError if the file is damaged, newer than this program or older than 0.2.0, if the database has content and
 *   `replace` is false, if other connections use the database, or if all rows are restored and what follows fails; the
 *   reason of `stop`
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { databaseUrl, runtimeUrl, input, replace, log, folder, stop } = options;
  const reader = new BackupReader(input);
  // The read that waits for the file fails.
  const close = () => reader.close();
  stop?.addEventListener('abort', close);
  let isRestored = false;
  try {
    const found = await reader.line(header);
    const schema = await schemaOf(found, folder);
    options.onHeader?.(found);
    const content = await withConnection(databaseUrl, (connection) => checkTarget(connection, replace));
    if (replace) await options.onReplace?.(content);
    await migrateUp({ databaseUrl, runtimeUrl, log, folder });
    const summary = await withConnection(databaseUrl, async (connection) => {
      await connection.query('set statement_timeout = 0');
      return await inTransaction(connection, () =>
        untilStopped(connection, options.stop, async () => {
          const { length } = await readApplied(connection);
          if (length !== schema.files.length) await remakeSchema(connection, schema.files);
          if (schema.isFormer) await addFormerParts(connection);
          const replaced = await replaceRows(connection, reader, options);
          if (schema.isFormer) await removeFormerParts(connection);
          return replaced;
        }),
      );
    });
    isRestored = true;
    await migrateUp({ databaseUrl, runtimeUrl, log, folder });
    await withConnection(databaseUrl, (connection) => connection.query('analyze'));
    return summary;
  } catch (error) {
    if (isRestored) throw unfinished(error);
    throw stop?.aborted ? stop.reason : error;
  } finally {
    stop?.removeEventListener('abort', close);
    close();
  }
}

const unfinished = (cause: unknown) =>
  new BackupError('All rows are restored, but the schema is not finished. Run `backoffice migrate up`.', {
    cause,
  });

/** What makes the schema of a backup. */
interface Schema {
  readonly files: readonly MigrationFile[];
  readonly isFormer: boolean;
}

async function schemaOf(found: BackupHeader, folder: string | undefined): Promise<Schema> {
  if (found.version > formatVersion) throw newer(found);
  const files = await readMigrationFiles(folder);
  try {
    const applied = found.migrations.map((name) => ({ name }));
    if (isFormerSchema(applied)) return { files: baselineOf(files), isFormer: true };
  } catch (error) {
    throw error instanceof OldSchemaError ? older(found) : error;
  }
  if (!found.migrations.every((name, index) => files[index]?.name === name)) throw newer(found);
  return { files: files.slice(0, found.migrations.length), isFormer: false };
}

const newer = (found: BackupHeader) =>
  new BackupError(`${madeBy(found)} Restore it with that version or a newer one.`);

const older = (found: BackupHeader) =>
  new BackupError(`${madeBy(found)} Restore it with 0.2.0, and make a new backup.`);

const madeBy = ({ backoffice: version, commit, migrations }: BackupHeader) =>
  `The backup was made by another version of Backoffice, ${nameVersion({ version, commit })}, with the schema ${migrations.at(-1)}.`;

/** Deletes all rows, and disables the triggers. */
async function emptyTables(
  connection: Client,
): Promise<{ tables: string[]; enableTriggers: () => Promise<void> }> {
  const tables = (await readTables(connection)).map(({ name }) => name);
  const names = tables.map((name) => `public.${connection.escapeIdentifier(name)}`);
  const enableTriggers = await disableTriggers(connection, names);
  await connection.query(`truncate ${names.join(', ')}`);
  return { tables, enableTriggers };
}

async function replaceRows(connection: Client, reader: BackupReader, options: RestoreOptions) {
  // The rows are complete: counters and previews are among them, and no event may follow from a restored row.
  const { tables, enableTriggers } = await emptyTables(connection);
  // They slow down copying most. migrateUp creates those that are missing.
  for (const { name } of searchIndexes) await connection.query(`drop index if exists ${name}`);
  const summary = { tables: 0, rows: 0, bytes: 0 };
  for (;;) {
    options.stop?.throwIfAborted();
    const next = await reader.line(tableStart.or(sequences));
    if ('sequences' in next) {
      await setSequences(connection, next.sequences);
      break;
    }
    if (!tables.includes(next.table)) {
      throw new BackupError(`The backup has an unknown table: ${next.table}. Nothing was restored.`);
    }
    reader.enter(`in the table ${next.table}`);
    const { rows, bytes } = await copyTable(connection, reader, next, options);
    summary.tables += 1;
    summary.rows += rows;
    summary.bytes += bytes;
  }
  await reader.checkEnd();
  await endSignIns(connection, tables);
  const { end = { tokens: false, recoveryCodes: false } } = options;
  const kept = await endLastingAccess(connection, tables, end);
  await enableTriggers();
  return { ...summary, kept };
}

async function copyTable(
  connection: Client,
  reader: BackupReader,
  { table, columns }: TableStart,
  { onProgress, stop }: RestoreOptions,
): Promise<{ rows: number; bytes: number }> {
  let bytes = 0;
  async function* chunks() {
    for await (const chunk of reader.rows()) {
      stop?.throwIfAborted();
      bytes += chunk.length;
      onProgress?.({ table, bytes });
      yield chunk;
    }
  }
  const copy = connection.query(from(`copy ${copyTarget(connection, { name: table, columns })} from stdin`));
  try {
    await pipeline(Readable.from(chunks(), { highWaterMark: 2 }), copy);
  } catch (error) {
    // A value that its column does not take, or a column that does not exist. Other errors are not the file's.
    if (!(error instanceof DatabaseError) || !/^(2[23]|42)/.test(error.code ?? '')) throw error;
    const row = /line (\d+)/.exec(error.where ?? '')?.[1];
    throw reader.damaged(row === undefined ? 'its rows do not fit.' : `row ${row} does not fit.`, error);
  }
  const { rows } = await reader.line(tableEnd);
  if (copy.rowCount !== rows) throw reader.damaged(`it has ${copy.rowCount} rows instead of ${rows}.`);
  return { rows, bytes };
}

async function setSequences(connection: Client, values: Sequences): Promise<void> {
  for (const [name, [value, wasHandedOut]] of Object.entries(values)) {
    await connection.query('select setval($1::regclass, $2, $3)', [
      `public.${connection.escapeIdentifier(name)}`,
      value,
      wasHandedOut,
    ]);
  }
}
