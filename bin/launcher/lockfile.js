import { readFileSync } from 'node:fs';

/**
 * What we read of an entry of package-lock.json.
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 */

/**
 * Reports whether npm installed what a package-lock.json names, by npm's own record of what it installed
 * (node_modules/.package-lock.json, which npm writes last). npm installs only the optional packages of this platform, so
 * the others may be missing.
 *
 * @param {string} lockfile
 * @param {string} record
 * @param {readonly string[]} required names of optional packages that must be installed if the lockfile has them
 */
export function matchesLockfile(lockfile, record, required) {
  const wanted = readPackages(lockfile);
  const installed = readPackages(record);
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    if (!found) return optional === true && !required.some((name) => path === `node_modules/${name}`);
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
