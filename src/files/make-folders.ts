import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../shared/errors.ts';

/**
 * Creates a folder, and those above it that are missing. Node's own `recursive` tries for ever where the system says that a
 * folder is missing although it is there, as `/proc` does.
 */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  try {
    await makeFolder(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(dirname(path), mode);
    await makeFolder(path, mode);
  }
}

async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
