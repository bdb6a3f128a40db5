import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtMain, compileCache, root, versionFile } from './paths.js';
import { runTool } from './run.js';

/** @typedef {{ stampFile: string, sources: string[], tool: string, args: string[] }} Part */

/**
 * What is built, each with its stamp and its sources. The web dashboard takes longest, and changes least.
 *
 * @type {readonly Part[]}
 */
export const parts = [
  {
    stampFile: join(root, 'dist', '.build-stamp'),
    sources: ['src', 'cli', 'tsconfig.json', 'package-lock.json', 'bin/bundle'],
    tool: 'bin/bundle/bundle.js',
    args: [],
  },
  {
    stampFile: join(root, 'dist', '.web-build-stamp'),
    sources: ['web', 'src/contract', 'src/shared', 'tsconfig.json', 'package-lock.json'],
    tool: 'node_modules/vite/bin/vite.js',
    args: ['build', '--config', join('web', 'vite.config.ts'), '--logLevel', 'warn'],
  },
];

/**
 * Builds what is out of date: the program and the web dashboard. Does not check the types, which takes ten times as long:
 * `npm test` and `npm run typecheck` do.
 *
 * @throws {Error} one sentence, after the compiler's own output.
 */
export async function build() {
  const old = parts.filter((part) => !isCurrent(part));
  if (old.length > 0) console.error('Building.');
  for (const part of old) {
    // Taken first, so that a file that changes during the build makes the next build run.
    const stamp = fingerprint(part);
    const { code, output } = await runTool(part.tool, part.args, { quiet: true });
    if (code !== 0) {
      console.error(output);
      throw new Error('The build failed. Fix the errors above.');
    }
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(part.stampFile, stamp);
  }
  // It belongs to the previous build.
  if (old.length > 0) rmSync(compileCache, { recursive: true, force: true, maxRetries: 3 });
  // A commit that changes no source needs no build, but is the one that runs.
  writeVersion();
}

/** Reports whether the build is up to date, by the sizes and times of all sources, and names its commit. */
export function isBuilt() {
  return existsSync(builtMain) && parts.every(isCurrent) && isVersionWritten();
}

/** @param {Part} part */
function isCurrent(part) {
  return existsSync(part.stampFile) && readFileSync(part.stampFile, 'utf8') === fingerprint(part);
}

/**
 * Returns a hash of the names, sizes and times of the sources.
 *
 * @param {Part} part
 */
export function fingerprint({ sources }) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Returns a file, or all files under a folder of the checkout, as paths from its root, sorted.
 *
 * @param {string} folder
 */
function filesIn(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [folder];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}

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
