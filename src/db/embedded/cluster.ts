import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, restorePasswordAdvice, systemErrorCode } from './embedded-postgres-error.ts';
import { type OsUser, runProgram } from './run-program.ts';

/** A place for a cluster, which need not exist yet. Everything under `home` belongs to the database's user. */
export interface Cluster {
  /** `data` (the cluster), `password` and `server.log` live in here. */
  home: string;
  binaries: Binaries;
  user: OsUser | undefined;
  /** False trades safety against a crash of the machine for speed: for tests only. */
  durable: boolean;
}

const HOUR_MS = 3_600_000;

// In the file and not on the command line, so that an operator can change them.
const settings = `
max_connections = 200
timezone = 'UTC'
log_timezone = 'UTC'
# One line every five minutes would fill the log of a server that runs for months.
log_checkpoints = off
`;

/**
 * Makes sure that the cluster exists and that these binaries can run it.
 *
 * It is made beside its place and renamed into it whole, so neither two commands at once nor a kill in
 * the middle leaves half a cluster.
 *
 * @throws EmbeddedPostgresError when another major version of Postgres made it, or when initdb fails.
 */
export async function ensureCluster(cluster: Cluster, log: (line: string) => void): Promise<void> {
  if (await existsInOurVersion(cluster)) return;
  log(`Creating a database in ${cluster.home}.`);
  await removeLeftovers(cluster.home);
  const temporary = `${cluster.home}.new-${crypto.randomUUID()}`;
  try {
    await create(temporary, cluster);
    await rename(temporary, cluster.home);
  } catch (error) {
    const anotherWasFaster = systemErrorCode(error) === 'ENOTEMPTY' || systemErrorCode(error) === 'EEXIST';
    if (!anotherWasFaster) throw error;
    if (await existsInOurVersion(cluster)) return;
    throw new EmbeddedPostgresError(
      `${cluster.home} holds files but no database: move it away, or set BACKOFFICE_DATA to another folder.`,
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Reads the password of the superuser `backoffice`.
 *
 * @throws EmbeddedPostgresError when there is none.
 */
export async function readSuperuserPassword(cluster: Cluster): Promise<string> {
  const file = join(cluster.home, 'password');
  const password = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    throw new EmbeddedPostgresError(`The embedded Postgres has lost ${file}: ${restorePasswordAdvice}`);
  });
  return password.trim();
}

async function existsInOurVersion({ home, binaries }: Cluster): Promise<boolean> {
  const found = await readFile(join(home, 'data', 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return false;
  const [ours] = binaries.version.split('.');
  if (found.trim() === ours) return true;
  throw new EmbeddedPostgresError(
    `${home} was made by Postgres ${found.trim()} and this is Postgres ${ours}: move its data with pg_dump, ` +
      'or set BACKOFFICE_DATA to another folder.',
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
  const { code, output } = await runProgram(
    join(binaries.directory, 'bin', 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=backoffice',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...localeOptions(binaries),
      ...(durable ? [] : ['--no-sync']),
    ],
    user,
  );
  if (code !== 0) {
    throw new EmbeddedPostgresError(
      `Postgres cannot create a database in ${dirname(home)}: ${output.split('\n').at(-1)}`,
    );
  }
  await appendFile(join(data, 'postgresql.conf'), settings);
}

/** Sorts by code point and folds the case of all letters. Before 17 Postgres needs the operating system for that. */
function localeOptions({ version }: Binaries): string[] {
  return Number.parseInt(version, 10) >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
}

async function removeLeftovers(home: string): Promise<void> {
  const parent = dirname(home);
  for (const entry of await readdir(parent)) {
    const path = join(parent, entry);
    if (!path.startsWith(`${home}.new-`)) continue;
    // A younger one may be another command at work.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}
