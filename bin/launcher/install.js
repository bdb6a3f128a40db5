import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { matchesLockfile } from './lockfile.js';
import { nodePackage, ownNode } from './node.js';
import { installPackages, npm } from './npm.js';
import { root } from './paths.js';
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
    await installPackages(['--include=dev', '--include=optional']);
  }
  if (!hasSymlinks(modules)) {
    // .npmrc turns install scripts off. This is the only one that is needed.
    await npm(['rebuild', '--ignore-scripts=false', postgresPackage]);
  }
  if (!existsSync(ownNode)) {
    throw new Error(`npm did not install ${ownNode}. Remove node_modules and run the command again.`);
  }
}

/** Reports whether everything is installed. Takes a few milliseconds and no network. */
export function isInstalled() {
  return hasPackages() && hasSymlinks(modules) && existsSync(ownNode);
}

function hasPackages() {
  const record = join(modules, '.package-lock.json');
  const required = nodePackage ? [postgresPackage, nodePackage] : [postgresPackage];
  return matchesLockfile(join(root, 'package-lock.json'), record, required);
}
