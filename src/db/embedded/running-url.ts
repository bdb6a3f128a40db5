import { join } from 'node:path';
import { isPostmaster, readPostmaster } from './postmaster-file.ts';
import { findRuntimePassword, runtimeRole } from './role-passwords.ts';

/**
 * Returns the URL of the embedded database, for the role that the service runs as, if its server is running. Use it for
 * queries that must neither start the server nor keep it running. The server may stop at any moment.
 */
export async function runningPostgresUrl(dataDirectory: string): Promise<string | undefined> {
  const home = join(dataDirectory, 'postgres');
  const data = join(home, 'data');
  const postmaster = await readPostmaster(data);
  if (postmaster?.status !== 'ready' || !(await isPostmaster(postmaster.pid, data))) return undefined;
  const password = await findRuntimePassword(home);
  return password === undefined ? undefined : embeddedUrl(postmaster.port, runtimeRole, password);
}

/** Returns the URL of the embedded database for a role. */
export function embeddedUrl(port: number, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/backoffice`;
}
