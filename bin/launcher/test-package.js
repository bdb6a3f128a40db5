import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.js';
import { matchesLockfile } from './lockfile.js';
import { installPackages } from './npm.js';
import { root } from './paths.js';

/**
 * Installs packages that only some tests need, if they are not installed already. They have a lockfile of their own,
 * because they do not go with those of the product, and are installed in a cache folder.
 *
 * @param {string} source the folder of package.json and package-lock.json
 * @param {string} name the name of the cache folder
 * @param {{ required?: readonly string[], args?: readonly string[], isComplete?: (modules: string) => boolean }} [options]
 *   `required` names the optional packages that must be installed, `args` are for npm
 * @returns {Promise<string>} the `node_modules` folder
 * @throws {Error} one sentence, after npm's own output.
 */
export async function installTestPackage(source, name, { required = [], args = [], isComplete } = {}) {
  const folder = join(root, 'node_modules', '.cache', name);
  const modules = join(folder, 'node_modules');
  const isInstalled = () =>
    matchesLockfile(join(source, 'package-lock.json'), join(modules, '.package-lock.json'), required) &&
    (isComplete?.(modules) ?? true);
  if (!isInstalled()) {
    await withLock(async () => {
      if (isInstalled()) return;
      console.error(`Installing ${name} with npm ci.`);
      mkdirSync(folder, { recursive: true });
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(join(source, file), join(folder, file));
      }
      await installPackages(args, folder);
    });
  }
  return modules;
}
