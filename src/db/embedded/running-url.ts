import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPostmaster, readPostmaster } from './postmaster-file.ts';

/**
 * Returns the URL of the embedded database if its server is running. Use it for queries that must neither start
 * the server nor keep it running. The server may stop at any moment.
 */
export async function runningPostgresUrl(dataDirectory: string): Promise<string | undefined> {
  const home = join(dataDirectory, 'postgres');
  const data = join(home, 'data');
  const postmaster = await readPostmaster(data);
  if (postmaster?.status !== 'ready' || !(await isPostmaster(postmaster.pid, data))) return undefined;
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  return `postgres://backoffice:${password}@127.0.0.1:${postmaster.port}/backoffice`;
}
