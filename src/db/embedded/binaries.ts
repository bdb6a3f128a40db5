import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCode } from '../../shared/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type OsUser, runProgram } from './run-program.ts';

/** A Postgres installation. `directory` contains `bin`, `lib` and `share`; `version` is such as `18.4.0-beta.17`. */
export interface Binaries {
  directory: string;
  version: string;
}

/**
 * Finds the binaries that npm installed for this platform.
 *
 * @throws EmbeddedPostgresError if there are none.
 */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  let root: string;
  try {
    const require = createRequire(import.meta.url);
    root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new EmbeddedPostgresError(
      `No embedded Postgres is installed for ${platform}. Set DATABASE_URL to a Postgres server of your own.`,
    );
  }
  return await readBinaries(root);
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
  const failure = await findRunFailure(binaries, user);
  if (!failure) return binaries;
  if (!user) throw notRunnable(binaries, failure);

  const copy = { ...binaries, directory: join(dataDirectory, 'binaries', binaries.version) };
  if (!(await findRunFailure(copy, user))) return copy;
  await copyAtomically(binaries.directory, copy.directory);
  const secondFailure = await findRunFailure(copy, user);
  if (secondFailure) throw notRunnable(copy, secondFailure);
  return copy;
}

async function findRunFailure(binaries: Binaries, user: OsUser | undefined): Promise<string | undefined> {
  try {
    const { code, output } = await runProgram(
      join(binaries.directory, 'bin', 'postgres'),
      ['--version'],
      user,
    );
    return code === 0 ? undefined : output;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

async function copyAtomically(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  // Copy to a random name, then rename: neither two commands at once nor a kill leaves half a copy in place.
  const temporary = `${to}.new-${crypto.randomUUID()}`;
  try {
    await cp(from, temporary, { recursive: true, verbatimSymlinks: true });
    // Under a strict umask, npm installs files that only their owner can read.
    await runProgram('chmod', ['-R', 'a+rX', dirname(to)]);
    await rename(temporary, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function notRunnable(binaries: Binaries, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot run Postgres from ${binaries.directory} (${reason}). ` +
      'Run `npm rebuild`, or set DATABASE_URL to a Postgres server of your own.',
  );
}
