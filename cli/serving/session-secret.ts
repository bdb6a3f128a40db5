import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the secret that signs the session cookies if SESSION_SECRET is not set. It is created once and kept in the data
 * directory, so that sessions survive a restart.
 */
export async function sessionSecrets(dataDirectory: string): Promise<string[]> {
  const file = join(dataDirectory, 'session-secret');
  await mkdir(dataDirectory, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  // Linking is atomic: if two processes start for the first time together, one writes the secret and both read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return [await readFile(file, 'utf8')];
}
