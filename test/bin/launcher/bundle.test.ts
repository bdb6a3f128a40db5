import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleFolder } from '../../../bin/launcher/paths.js';

/** Returns the files of the bundle that a file of it loads, with itself. */
async function loadedBy(file: string): Promise<readonly string[]> {
  const code = await readFile(join(bundleFolder, file), 'utf8');
  const imported = [...code.matchAll(/^import .*"\.\/(.+)";$/gm)].map(([, name = '']) => name);
  return [file, ...(await Promise.all(imported.map(loadedBy))).flat()];
}

test('a thread for passwords loads only what it needs, because its start takes time of a sign-in', async () => {
  const maps = (await loadedBy('password-worker.js')).map((file) =>
    readFile(join(bundleFolder, `${file}.map`), 'utf8'),
  );
  const sources = (await Promise.all(maps)).flatMap((map) => JSON.parse(map).sources as readonly string[]);
  const names = sources.map((source) => source.replace(/.*\/(?=node_modules|src)/, '')).toSorted();
  expect(names).toEqual([
    'node_modules/bcryptjs/index.js',
    'src/services/sign-in/password-worker.js',
    'src/services/sign-in/stored-hash.js',
  ]);
});
