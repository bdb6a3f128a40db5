import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret that signs the session cookies where SESSION_SECRET gives none: made once, and kept in the data
 * directory, so that a restart ends no session.
 */
export async function sessionSecrets(dataDirectory: string): Promise<string[]> {
  const file = join(dataDirectory, 'session-secret');
  await mkdir(dataDirectory, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  // A link is made whole or not at all, so of two first starts at once one writes the secret and both read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return [await readFile(file, 'utf8')];
}
