import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { errorCode } from '../../shared/errors.ts';
import type { ProgramVersion } from '../../version.ts';
import { inTransaction, untilStopped, withConnection } from '../connection/own-connection.ts';
import { readApplied } from '../migrate/status.ts';
import {
  BackupError,
  type BackupHeader,
  type BackupTable,
  copyTarget,
  endOfRows,
  formatVersion,
  readSequences,
  readTables,
} from './format.ts';

/** What has been copied: bytes of the table before compression. */
export interface BackupProgress {
  readonly table: string;
  readonly bytes: number;
}

interface BackupOptions {
  readonly databaseUrl: string;
  readonly program: ProgramVersion;
  /** Receives the compressed backup, and is ended. */
  readonly output: Writable;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Ends the work with the signal's reason. */
  readonly stop?: AbortSignal;
}

/** How much a backup holds. */
export interface BackupSummary {
  readonly tables: number;
  readonly rows: number;
  /** Before compression. */
  readonly bytes: number;
}

/** Good compression without keeping a processor busy for longer than Postgres takes to read. */
const compressionLevel = 4;

/**
 * Writes all data of the service as it was at one moment. Nothing waits for it but changes of the schema.
 *
 * @throws BackupError if the database is not migrated, or the output fails; the reason of `stop`; an error of the database
 */
export async function writeBackup(options: BackupOptions): Promise<BackupSummary> {
  return await withConnection(options.databaseUrl, async (connection) => {
    const sink = new Sink(options.output, options.stop);
    try {
      // The role or the database may have a timeout for the statements of requests.
      await connection.query('set statement_timeout = 0');
      return await inTransaction(
        connection,
        () => untilStopped(connection, options.stop, () => writeAll(connection, sink, options)),
        'isolation level repeatable read, read only',
      );
    } catch (error) {
      sink.destroy(error as Error);
      throw error;
    }
  });
}

async function writeAll(connection: Client, sink: Sink, { program, onProgress }: BackupOptions) {
  const applied = await readApplied(connection);
  const tables = await readTables(connection);
  if (applied.length === 0 || tables.length === 0) {
    throw new BackupError('The database is empty. There is nothing to back up.');
  }
  // A table that a migration drops or changes meanwhile would not be that of the snapshot.
  const names = tables.map(({ name }) => `public.${connection.escapeIdentifier(name)}`);
  await connection.query(`lock table ${names.join(', ')} in access share mode`);
  const { rows: moments } = await connection.query<{ now: Date; postgres: string }>(
    `select now(), current_setting('server_version') as postgres`,
  );
  const [moment] = moments;
  if (moment === undefined) throw new Error('The server returned no row.');
  await sink.line({
    format: 'backoffice-backup',
    version: formatVersion,
    created_at: moment.now.toISOString(),
    backoffice: program.version,
    commit: program.commit,
    postgres: moment.postgres,
    migrations: applied.map(({ name }) => name),
  } satisfies BackupHeader);
  let rows = 0;
  for (const table of tables) rows += await writeTable(connection, sink, table, onProgress);
  await sink.line({ sequences: await readSequences(connection) });
  const bytes = sink.bytes;
  await sink.end();
  return { tables: tables.length, rows, bytes };
}

async function writeTable(
  connection: Client,
  sink: Sink,
  table: BackupTable,
  onProgress: BackupOptions['onProgress'],
): Promise<number> {
  await sink.line({ table: table.name, columns: table.columns });
  const copy = connection.query(to(`copy ${copyTarget(connection, table)} to stdout`));
  let bytes = 0;
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    await sink.write(chunk);
    bytes += chunk.length;
    onProgress?.({ table: table.name, bytes });
  }
  await sink.write(Buffer.from(`${endOfRows}\n`));
  await sink.line({ rows: copy.rowCount });
  return copy.rowCount;
}

/** Compresses what it is given as fast as the output takes it, and adds the hash of all of it at the end. */
class Sink {
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #gzip = createGzip({ level: compressionLevel });
  /** Resolves when the output has everything. Rejects if the output fails or the work stops. */
  readonly #written: Promise<unknown>;

  constructor(output: Writable, stop: AbortSignal | undefined) {
    this.#written = finished(this.#gzip.pipe(output), { signal: stop }).catch((error: unknown) => {
      const failure = stop?.aborted ? (error as Error) : outputError(error);
      this.#gzip.destroy(failure);
      throw failure;
    });
    // They reach the caller through `write` and `end`.
    this.#written.catch(() => {});
    this.#gzip.on('error', () => {});
  }

  async line(value: object): Promise<void> {
    await this.write(Buffer.from(`${JSON.stringify(value)}\n`));
  }

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    if (this.#gzip.errored) throw this.#gzip.errored;
    if (this.#gzip.write(chunk)) return;
    const drained = new Promise<void>((resolve) => this.#gzip.once('drain', resolve));
    await Promise.race([drained, this.#written]);
  }

  async end(): Promise<void> {
    const sha256 = this.#hash.digest('hex');
    this.#gzip.end(`${JSON.stringify({ sha256 })}\n`);
    await this.#written;
  }

  destroy(error: Error): void {
    this.#gzip.destroy(error);
  }
}

/** Returns the error for an output that takes no more. */
function outputError(error: unknown): BackupError {
  const code = errorCode(error);
  const reason =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disk is full.'
      : code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
        ? 'The program that reads the backup has ended.'
        : `The backup cannot be written (${code ?? (error as Error).message}).`;
  return new BackupError(`${reason} No backup was written.`, { cause: error });
}
