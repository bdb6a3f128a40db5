import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, versionFile } from './paths.js';

/** Reports whether the file beside the build names the version and the commit of the checkout. */
export function isVersionWritten() {
  return existsSync(versionFile) && readFileSync(versionFile, 'utf8') === version();
}

/** Writes the file from which the program knows its version and its commit. The build must be that of the checkout. */
export function writeVersion() {
  writeFileSync(versionFile, version());
}

function version() {
  const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `${JSON.stringify({ version: packageJson.version, commit: commit() })}\n`;
}

/**
 * Returns the commit of the checkout, with `-dirty` behind it if a file of it was changed. Without a repository, as in an
 * image, it is that of the environment, or null.
 */
function commit() {
  // An archive that is unpacked within another repository is not of its commit.
  if (!existsSync(join(root, '.git'))) return process.env.BACKOFFICE_COMMIT || null;
  const args = ['describe', '--always', '--abbrev=40', '--exclude=*', '--dirty'];
  try {
    // Root may build the checkout of another user. A lock would make a git command of that user fail.
    const options = ['-c', `safe.directory=${root.replace(/\/$/, '')}`, '--no-optional-locks'];
    return execFileSync('git', [...options, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}
