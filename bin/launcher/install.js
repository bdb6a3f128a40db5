import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { matchesLockfile } from './lockfile.js';
import { npm } from './npm.js';
import { ownNode, root } from './paths.js';
import { hasSymlinks, postgresPackage } from './postgres-package.js';

const modules = join(root, 'node_modules');

/**
 * Installs the packages of package-lock.json, if they are not installed already.
 *
 * @throws {Error} one sentence, after npm's own output.
 */
export async function install() {
  if (!hasPackages()) {
    console.error('Installing dependencies with npm ci. The first time takes a minute.');
    await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
  }
  if (!installScriptsRan()) {
    // .npmrc turns install scripts off; these two packages need theirs.
    await npm(['rebuild', '--ignore-scripts=false', 'node', postgresPackage]);
  }
  if (!existsSync(ownNode)) {
    throw new Error(`npm did not install ${ownNode}. Run \`npm rebuild --ignore-scripts=false\`.`);
  }
}

/** Reports whether everything is installed. Takes a few milliseconds and no network. */
export function isInstalled() {
  return hasPackages() && installScriptsRan();
}

function hasPackages() {
  const record = join(modules, '.package-lock.json');
  return matchesLockfile(join(root, 'package-lock.json'), record, [postgresPackage]);
}

function installScriptsRan() {
  return existsSync(ownNode) && hasSymlinks(modules);
}
