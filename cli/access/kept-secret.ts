import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const secretBytes = 32;

/**
 * Returns a secret of 32 random bytes as base64url text, which is kept in a file of the data directory. It is created if
 * there is none.
 */
export async function keptSecret(dataDirectory: string, name: string): Promise<string> {
  const file = join(dataDirectory, name);
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  await mkdir(dataDirectory, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeDurably(draft, randomBytes(secretBytes).toString('base64url'));
  // Linking is atomic: if two processes start for the first time together, one writes the secret and both read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  await flush(dataDirectory);
  return await readFile(file, 'utf8');
}

/** Returns the secret that `keptSecret` keeps, or undefined if there is none yet. */
export async function findKeptSecret(dataDirectory: string, name: string): Promise<string | undefined> {
  return await readSecret(join(dataDirectory, name));
}

async function readSecret(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Writes a file that a power failure does not take away: what is encrypted with the secret would be lost. */
async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function flush(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}
