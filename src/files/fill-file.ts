import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ExpectedError, errorCode } from '../shared/errors.ts';

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'Create its folder first.',
  ENOTDIR: 'A part of its path is a file. Choose another folder.',
  EACCES: 'Get write access to its folder, or choose another one.',
  EPERM: 'Get write access to its folder, or choose another one.',
  EROFS: 'Its disk is read-only. Choose another folder.',
  ENAMETOOLONG: 'Choose a shorter name.',
  ENOSPC: 'Free space on its disk.',
  EDQUOT: 'Free space on its disk.',
  EFBIG: 'Its disk takes no file so large. Choose another disk.',
};

/** A file cannot be written. */
export class FileError extends ExpectedError {
  override readonly name = 'FileError';
  readonly code: string | undefined;

  constructor(file: string, cause: unknown) {
    const code = errorCode(cause);
    const said = `Cannot write ${file} (${code ?? String(cause)}).`;
    const whatToDo = code === undefined ? undefined : advice[code];
    super(whatToDo === undefined ? said : `${said} ${whatToDo}`, { cause });
    this.code = code;
  }
}

interface FillOptions {
  /** Refuses to replace a file, with the code EEXIST. */
  readonly isNew?: boolean;
  /** Who the file belongs to, if not to the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Writes a file in one step: a reader never sees a part of it, and a failure leaves what was there. Only its owner can read
 * it. A draft beside it, under a name that is free, takes what `fill` writes, so no file of somebody else is written to, nor
 * the target of a link. Needs no hard links, which some file systems lack.
 *
 * @param fill - writes to the stream and ends it
 * @throws FileError, or what `fill` throws
 */
export async function fillFile<Result>(
  file: string,
  fill: (output: Writable) => Promise<Result>,
  { isNew = false, owner }: FillOptions = {},
): Promise<Result> {
  const failed = (error: unknown): never => {
    throw new FileError(file, error);
  };
  const draft = `${file}.${crypto.randomUUID()}.partial`;
  const handle = await create(draft).catch(failed);
  // Flushed, so that a power cut leaves a whole file or none.
  const output = handle.createWriteStream({ flush: true });
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  // `fill` hears of its errors. One that stops may still write a piece to the closed stream.
  output.on('error', () => {});
  try {
    if (owner) await handle.chown(owner.uid, owner.gid).catch(failed);
    const result = await fill(output);
    if (isNew) await create(file).then((reserved) => reserved.close(), failed);
    await rename(draft, file).catch(failed);
    await syncFolder(dirname(file));
    return result;
  } finally {
    output.destroy();
    await closed;
    await rm(draft, { force: true });
  }
}

/** Writes a text into a file in one step, as `fillFile` does. */
export async function writeWhole(file: string, text: string, options?: FillOptions): Promise<void> {
  const write = async (output: Writable) => {
    output.end(text);
    await finished(output).catch((error: unknown) => {
      throw new FileError(file, error);
    });
  };
  await fillFile(file, write, options);
}

/** Creates a file that is not there yet. Follows no link. */
const create = (path: string) => open(path, 'wx', 0o600);

/** Keeps the name of a new file through a power cut, where the file system can. */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch {
    // Some file systems refuse this for folders.
  }
}
