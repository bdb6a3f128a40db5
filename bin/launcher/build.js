import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownNode } from './node.js';
import { builtMain, compileCache, root } from './paths.js';
import { run } from './run.js';

const stampFile = join(root, 'dist', '.build-stamp');
const compiledFolders = ['src', 'cli'];
const settings = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'bin/launcher/bundle.js',
  'bin/launcher/bundle-plugins.js',
];

/**
 * Compiles `src` and `cli` into `dist`, removes outputs that have lost their source, and bundles the rest. Does not check
 * the types, which takes ten times as long: `npm test` and `npm run typecheck` do.
 *
 * @throws {Error} one sentence, after the compiler's own output.
 */
export async function build() {
  // Taken first, so that a file that changes during the compilation makes the next build run.
  const stamp = fingerprint();
  console.error('Building.');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await runTool([tsc, '-p', 'tsconfig.build.json']);
  removeOrphans();
  await runTool([join(root, 'bin', 'launcher', 'bundle.js')]);
  // The cache belongs to the previous build.
  rmSync(compileCache, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** @param {string[]} args */
async function runTool(args) {
  const { code, output } = await run(ownNode, args, { quiet: true });
  if (code === 0) return;
  console.error(output);
  throw new Error('The build failed. Fix the errors above.');
}

/** Reports whether the build is up to date, by the sizes and times of all sources. */
export function isBuilt() {
  if (!existsSync(builtMain) || !existsSync(stampFile)) return false;
  return readFileSync(stampFile, 'utf8') === fingerprint();
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [...compiledFolders.flatMap(filesIn), ...settings]) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Returns all files under a folder of the checkout, as paths from its root, sorted.
 *
 * @param {string} folder
 */
function filesIn(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
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
