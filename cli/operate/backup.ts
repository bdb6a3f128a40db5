import { createWriteStream, fstatSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { BackupSummary } from '../../src/db/backup/write-backup.ts';
import { FileError, fillFile } from '../../src/files/fill-file.ts';
import { programVersion } from '../../src/version.ts';
import { withDatabase } from '../access/database.ts';
import { FailedError, StoppedError, UsageError } from '../errors.ts';
import { createProgress } from '../output/progress.ts';
import { remark, stopSignal } from '../terminal/terminal.ts';
import { counted, grouped } from '../terminal/text.ts';
import { argument, text } from '../verb/parameters.ts';
import { verb } from '../verb/verb.ts';

/** Writes all data into a file. */
export const backup = verb({
  params: { file: argument({ ...text('a new file, or - for standard output'), source: 'files' }) },
  output: 'nothing',
  notes:
    'The service may run meanwhile. The file is compressed, and readable only by you: it has every message, every hash of a\n' +
    'password, and the secrets of webhooks as they are stored. Keep BACKOFFICE_ENCRYPTION_KEY and SESSION_SECRET, or the files of\n' +
    'the data directory, separately. docs/backup-format.md describes the format.',
  examples: [
    'backoffice backup backoffice-2026-01-31.gz',
    "backoffice backup - | ssh backup@example.com 'cat > backoffice.gz'",
  ],
  async run({ given: { file }, command }) {
    if (file === '-' && process.stdout.isTTY)
      throw new UsageError('A backup is not for a terminal. Name a file, or redirect standard output.');
    const { rows, tables, bytes } = await withDatabase(command, async (databaseUrl) =>
      file === '-' ? await write(databaseUrl, standardOutput()) : await writeFile(databaseUrl, file),
    );
    const written = `${counted(rows, 'row')} of ${counted(tables, 'table')}`;
    const megabytes = grouped(Number((bytes / 1e6).toFixed(1)));
    remark(`Wrote ${written}, ${megabytes} MB before compression.`);
  },
});

/** A file with its name is always a whole backup. */
async function writeFile(databaseUrl: string, file: string): Promise<BackupSummary> {
  const taken = new FailedError(`${file} exists already. Name a new file.`);
  const isThere = await lstat(file).catch(() => undefined);
  if (isThere) throw taken;
  try {
    return await fillFile(file, (output) => write(databaseUrl, output), { isNew: true });
  } catch (error) {
    // Another program has made it meanwhile.
    throw error instanceof FileError && error.code === 'EEXIST' ? taken : error;
  }
}

/** Returns standard output as a stream that ends: a pipe leaves the real one open, so its end would never be known. */
function standardOutput(): Writable {
  // Node's own stream for a file does not notice if only a part of a piece fits on the disk.
  if (fstatSync(1).isFile()) return createWriteStream('', { fd: 1, autoClose: false });
  return new Writable({
    write: (chunk, _encoding, done) => void process.stdout.write(chunk, done),
    destroy(error, done) {
      // What a stuck reader does not take would keep the command from ending.
      if (error !== null) process.stdout.destroy();
      done(error);
    },
  });
}

async function write(databaseUrl: string, output: Writable): Promise<BackupSummary> {
  const { writeBackup } = await import('../../src/db/backup/write-backup.ts');
  const stop = stopSignal();
  const progress = createProgress();
  try {
    return await writeBackup({
      databaseUrl,
      program: programVersion(),
      output,
      onProgress: ({ table, bytes }) =>
        progress.show({ what: `MB of ${table}`, done: Math.round(bytes / 1e6) }),
      stop,
    });
  } catch (error) {
    throw stop.aborted ? new StoppedError('Stopped. No backup was written.', stop) : error;
  } finally {
    progress.end();
  }
}
