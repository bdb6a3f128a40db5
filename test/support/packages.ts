import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { install, isInstalled, postgresPackage } from '../../bin/prepare/install.js';
import { withLock } from '../../bin/prepare/lock.js';
import { root } from '../../bin/prepare/paths.js';

const lockfiles = join(root, 'test', 'support', 'postgres');
/** The major version of the Postgres that the product embeds. */
const embeddedMajor = '18';

/** The major versions of Postgres that the tests can run on. */
export const postgresMajors = [
  ...readdirSync(lockfiles).filter((name) => /^\d+$/.test(name)),
  embeddedMajor,
].sort();

/**
 * Installs the binaries of a Postgres version for the tests. npm allows one version of a package in a lockfile, so each has a
 * lockfile of its own.
 *
 * @param major one of `postgresMajors`
 * @returns the folder of the package
 */
export async function installTestPostgres(major: string): Promise<string> {
  if (major === embeddedMajor) return join(root, 'node_modules', postgresPackage);
  return join(await installTestPackage(join(lockfiles, major), `postgres-${major}`), postgresPackage);
}

/**
 * Installs packages that only some tests need, in a cache folder, if they are not installed already. They have a lockfile of
 * their own, because they do not go with those of the product.
 *
 * @param source the folder of package.json and package-lock.json
 * @param name the name of the cache folder
 * @returns the `node_modules` folder
 * @throws {Error} one sentence, after npm's own output.
 */
export async function installTestPackage(source: string, name: string): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', name);
  const lockOf = (place: string) => {
    const file = join(place, 'package-lock.json');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const isReady = () => lockOf(folder) === lockOf(source) && isInstalled(folder);
  if (!isReady()) {
    await withLock(async () => {
      if (isReady()) return;
      mkdirSync(folder, { recursive: true });
      for (const file of [
        join(root, '.npmrc'),
        join(source, 'package.json'),
        join(source, 'package-lock.json'),
      ])
        copyFileSync(file, join(folder, basename(file)));
      await install(folder);
    });
  }
  return join(folder, 'node_modules');
}
