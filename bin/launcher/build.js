import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtMain, compileCache, ownNode, root } from './paths.js';
import { run } from './run.js';

const stampFile = join(root, 'dist', '.build-stamp');
const compiledFolders = ['src', 'cli'];
const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/**
 * Compiles `src` and `cli` into `dist`, and removes what has lost its source.
 *
 * @throws {Error} one sentence, with the compiler's output before it.
 */
export async function build() {
  // Taken first: a file that changes while the compiler runs makes the next build run again.
  const stamp = fingerprint();
  console.error('Building.');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await run(ownNode, [tsc, '-p', 'tsconfig.build.json'], { quiet: true });
  if (code !== 0) {
    console.error(output);
    throw new Error('The build failed: mend what the compiler says above.');
  }
  removeOrphans();
  // What was compiled of the build before is of no use any more.
  rmSync(compileCache, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Says whether `build` has nothing to do, by the sizes and times of all sources. */
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

/** All files under a folder of the checkout, as paths from its root, sorted. */
function filesIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .sort();
}

function removeOrphans() {
  for (const folder of compiledFolders) {
    for (const output of filesIn(join('dist', folder))) {
      const source = join(root, output.slice('dist/'.length)).replace(/\.js(\.map)?$/, '');
      const alive = ['', '.ts', '.tsx'].some((extension) => existsSync(source + extension));
      if (!alive) rmSync(join(root, output));
    }
  }
}
