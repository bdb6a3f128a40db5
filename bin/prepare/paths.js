import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder, independent of the working directory. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built program in few files. */
export const bundleFolder = join(root, 'dist', 'bundle');

/** The built command line. */
export const builtMain = join(bundleFolder, 'main.js');

/** The version and the commit of what is built. */
export const versionFile = join(root, 'dist', 'version.json');

/** Where Node keeps compiled code. Only users who may change the program may write here. */
export const compileCache = join(root, 'node_modules', '.cache', 'compile');

/** The oldest Node that runs Backoffice. */
export const minNodeMajor = 24;

/**
 * Reports whether this process runs on a Node of that major version or a newer one.
 *
 * @param {number} major
 */
export function runsOnNode(major) {
  return Number.parseInt(process.versions.node, 10) >= major;
}
