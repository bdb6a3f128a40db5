import { randomBytes } from 'node:crypto';
import { access, appendFile, chown, constants, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { errorCode } from '../../shared/errors.ts';
import {
  type Binaries,
  EmbeddedPostgresError,
  makeFolder,
  type OsUser,
  reasonIn,
  removeHalfMade,
  runProgram,
} from './programs.ts';
import { readIfThere } from './secrets.ts';

/** What to do if the password of the cluster is lost. */
export const restorePasswordAdvice =
  'Restore the file password next to its data directory, or set BACKOFFICE_DATA to another directory.';

/** A Postgres cluster, which may not exist yet. Everything under `home` belongs to the user that Postgres runs as. */
export interface Cluster {
  /** The folder of `data` (the cluster), `password` and `server.log`. */
  home: string;
  binaries: Binaries;
  user: OsUser | undefined;
  /** False is for tests only: faster, but a crash of the machine loses data. */
  durable: boolean;
}

// Written to the file instead of the command line, so that an operator can change them.
const settings = `
max_connections = 200
timezone = 'UTC'
log_timezone = 'UTC'
# Otherwise one line every five minutes fills the log of a server that runs for months.
log_checkpoints = off
`;

/**
 * Makes sure that the cluster exists and that these binaries can run it.
 *
 * @throws EmbeddedPostgresError if another major version of Postgres created the cluster, or if initdb fails.
 */
export async function ensureCluster(cluster: Cluster, log: (line: string) => void): Promise<void> {
  await removeHalfMade(cluster.home);
  if (await existsInThisVersion(cluster)) return;
  log(`Creating a database in ${cluster.home}.`);
  if (await makeFolder(cluster.home, (temporary) => create(temporary, cluster))) return;
  if (await existsInThisVersion(cluster)) return;
  throw new EmbeddedPostgresError(
    `${cluster.home} contains files but no database. Move them away, or set BACKOFFICE_DATA to another directory.`,
  );
}

/**
 * Reads the password of the superuser `backoffice`.
 *
 * @throws EmbeddedPostgresError if there is none.
 */
export async function readSuperuserPassword(cluster: Cluster): Promise<string> {
  const file = join(cluster.home, 'password');
  const password = await readIfThere(file);
  if (password !== undefined) return password.trim();
  throw new EmbeddedPostgresError(
    `The password file of the embedded Postgres, ${file}, is missing. ${restorePasswordAdvice}`,
  );
}

async function existsInThisVersion({ home, binaries }: Cluster): Promise<boolean> {
  const found = await readIfThere(join(home, 'data', 'PG_VERSION'));
  if (found === undefined) return false;
  const [major] = binaries.version.split('.');
  if (found.trim() === major) return true;
  throw new EmbeddedPostgresError(
    `${home} was created by Postgres ${found.trim()}, but this is Postgres ${major}. Move its data with pg_dump, ` +
      'or set BACKOFFICE_DATA to another directory.',
  );
}

async function create(home: string, { binaries, user, durable }: Cluster): Promise<void> {
  const passwordFile = join(home, 'password');
  await mkdir(home, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  if (user) {
    await chown(passwordFile, user.uid, user.gid);
    await chown(home, user.uid, user.gid);
  }
  const data = join(home, 'data');
  // Sorts by code point and folds the case of all letters. Before Postgres 17 that needs the operating system.
  const hasOwnLocales = Number.parseInt(binaries.version, 10) >= 17;
  const options = [
    `--pgdata=${data}`,
    '--username=backoffice',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...(hasOwnLocales
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']),
    ...(durable ? [] : ['--no-sync']),
  ];
  const { code, output } = await runProgram(join(binaries.directory, 'bin', 'initdb'), options, user);
  if (code !== 0) {
    throw new EmbeddedPostgresError(`Cannot create a database in ${dirname(home)}: ${reasonIn(output)}`);
  }
  await appendFile(join(data, 'postgresql.conf'), settings);
}

/**
 * Creates the data directory (mode 0700) if it is missing, and returns its real path.
 *
 * @throws EmbeddedPostgresError if the file system refuses.
 */
export async function createDataDirectory(path: string): Promise<string> {
  try {
    await makeFolders(dirname(path));
    await makeFolders(path, 0o700);
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
    await runProgram('chgrp', [String(user.gid), directory]);
    await runProgram('chmod', ['g+x', directory]);
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
  const folders = directory.split('/').map((_, index, names) => names.slice(0, index + 1).join('/') || '/');
  const script = 'for folder; do cd "$folder" 2>/dev/null || { printf %s "$folder"; exit 1; }; done';
  const { code, output } = await runProgram('/bin/sh', ['-c', script, 'sh', ...folders], user);
  return code === 0 ? undefined : output;
}
