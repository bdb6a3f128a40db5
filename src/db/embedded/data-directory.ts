import { access, chmod, chown, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../shared/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type OsUser, runProgram } from './run-program.ts';

/**
 * Creates the data directory (mode 0700) if it is missing, and returns its real path.
 *
 * @throws EmbeddedPostgresError if the file system refuses.
 */
export async function createDataDirectory(path: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    const found = await realpath(path);
    await access(found, constants.R_OK | constants.W_OK | constants.X_OK);
    return found;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot use the data directory ${path} (${errorCode(error)}). Set BACKOFFICE_DATA to a directory that you can write to.`,
    );
  }
}

/**
 * Makes sure that the user that Postgres runs as can enter the data directory.
 *
 * If the directory belongs to root, it is opened to that user's group only. The folders above it are never changed.
 *
 * @throws EmbeddedPostgresError that names the first folder in the path that the user cannot enter.
 */
export async function grantDataDirectoryAccess(directory: string, user: OsUser): Promise<void> {
  let closed = await firstClosedFolder(directory, user);
  if (closed === directory) {
    const { mode, uid } = await stat(directory);
    await chown(directory, uid, user.gid);
    await chmod(directory, (mode & 0o777) | 0o010);
    closed = await firstClosedFolder(directory, user);
  }
  if (closed) {
    throw new EmbeddedPostgresError(
      `The user ${user.name}, which Postgres runs as instead of root, cannot enter ${closed}. ` +
        'Set BACKOFFICE_DATA to a directory that this user can reach, such as /var/lib/backoffice.',
    );
  }
}

async function firstClosedFolder(directory: string, user: OsUser): Promise<string | undefined> {
  const folders = [directory];
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder)) {
    folders.unshift(dirname(folder));
  }
  const script = 'for folder; do cd "$folder" 2>/dev/null || { printf %s "$folder"; exit 1; }; done';
  const { code, output } = await runProgram('/bin/sh', ['-c', script, 'sh', ...folders], user);
  return code === 0 ? undefined : output;
}
