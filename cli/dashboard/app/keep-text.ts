import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../../src/files/make-folders.ts';
import type { UnsavedText } from './drafts.ts';

/** Writes a text into a new file that only this user can read, and returns its path. */
export async function keepText(folder: string, { title, text }: UnsavedText): Promise<string> {
  await makeFolders(folder, 0o700);
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const file = join(folder, `${time}-${name}-${crypto.randomUUID().slice(0, 4)}.txt`);
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}
