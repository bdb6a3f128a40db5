import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownNode } from './node.js';
import { builtMain, compileCache, root } from './paths.js';
import { run } from './run.js';
import { isVersionWritten, writeVersion } from './version.js';

const compiledFolders = ['src', 'cli'];

/** What is built, each with its stamp and its sources. The web dashboard takes longest, and changes least. */
export const program = {
  stampFile: join(root, 'dist', '.build-stamp'),
  sources: [
    ...compiledFolders,
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
    'bin/launcher/bundle.js',
    'bin/launcher/bundle-plugins.js',
    'bin/launcher/quick-frames',
    'bin/launcher/write-manual.js',
  ],
};
export const dashboard = {
  stampFile: join(root, 'dist', '.web-build-stamp'),
  sources: ['web', 'src/contract', 'src/shared', 'tsconfig.json', 'package-lock.json'],
};

/**
 * Builds what is out of date: the program and the web dashboard. Does not check the types, which takes ten times as long:
 * `npm test` and `npm run typecheck` do.
 *
 * @throws {Error} one sentence, after the compiler's own output.
 */
export async function build() {
  if (!isCurrent(program) || !isCurrent(dashboard)) console.error('Building.');
  for (const [part, make] of /** @type {const} */ ([
    [program, buildProgram],
    [dashboard, buildDashboard],
  ])) {
    // Taken first, so that a file that changes during the build makes the next build run.
    const stamp = fingerprint(part);
    if (isCurrent(part)) continue;
    await make();
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(part.stampFile, stamp);
  }
  // A commit that changes no source needs no build, but is the one that runs.
  writeVersion();
}

/** Compiles `src` and `cli` into `dist`, removes outputs that have lost their source, and bundles the rest. */
async function buildProgram() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await runTool([tsc, '-p', 'tsconfig.build.json']);
  removeOrphans();
  await runTool([join(root, 'bin', 'launcher', 'bundle.js')]);
  await runTool([join(root, 'bin', 'launcher', 'write-manual.js')]);
  // The cache belongs to the previous build.
  rmSync(compileCache, { recursive: true, force: true, maxRetries: 3 });
}

/** Builds the web dashboard into `dist/web`. */
async function buildDashboard() {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runTool([vite, 'build', '--config', join('web', 'vite.config.ts'), '--logLevel', 'warn']);
}

/** @param {string[]} args */
async function runTool(args) {
  const { code, output } = await run(ownNode, args, { quiet: true });
  if (code === 0) return;
  console.error(output);
  throw new Error('The build failed. Fix the errors above.');
}

/** Reports whether the build is up to date, by the sizes and times of all sources, and names its commit. */
export function isBuilt() {
  return existsSync(builtMain) && isCurrent(program) && isCurrent(dashboard) && isVersionWritten();
}

/** @typedef {{ readonly stampFile: string, readonly sources: readonly string[] }} Part */

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

function removeOrphans() {
  for (const folder of compiledFolders) {
    for (const output of filesIn(join('dist', folder))) {
      const source = join(root, output.slice('dist/'.length)).replace(/\.js(\.map)?$/, '');
      const hasSource = ['', '.ts', '.tsx'].some((extension) => existsSync(source + extension));
      if (!hasSource) rmSync(join(root, output));
    }
  }
}
