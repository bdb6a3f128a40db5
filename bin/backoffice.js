#!/bin/sh
':' /*
# A shell starts this file, and becomes the Node that runs the rest of it: the one of package-lock.json, or else the one on
# the path. So signals, the terminal and the exit code are those of the program.
self=$0
[ -L "$self" ] && self=$(readlink -f "$self")
node=${self%/*}/../node_modules/.bin/node
[ -x "$node" ] || node=node
# The space for new objects of a server grows under load: to 128 MB, if nothing limits it.
limit=
case $1 in serve | up) limit=--max-semi-space-size=8 ;; esac
exec "$node" $limit "$self" "$@"
*/
// The executable: runs the built command line.
import { builtMain, compileCache, minNodeMajor, root, runsOnNode, versionFile } from './prepare/paths.js';

// An import of `node:fs` would also load its streams, which takes as long as all of this file.
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');

// The last file that a build writes.
if (!existsSync(versionFile))
  fail(`Backoffice is not built. Run \`npm start\` or \`npm run build\` in ${root}`);
else if (!runsOnNode(minNodeMajor))
  fail(`Backoffice needs Node ${minNodeMajor} or newer; this is Node ${process.versions.node}. ${findNode()}`);
// Without the program, whose loading takes six times as long as this.
else if (process.argv.length === 3 && process.argv[2] === '--version')
  console.log(JSON.parse(readFileSync(versionFile, 'utf8')).version);
else await runCommand();

async function runCommand() {
  const isDashboard = opensDashboard(process.argv.slice(2));
  setYoungGenerationGrowth(isDashboard ? 1 : 4);
  // React draws the dashboard and uses less memory without its development checks.
  process.env.NODE_ENV ??= 'production';
  if (isDashboard) {
    // The dashboard needs one thread for file and name lookups; each further thread costs memory.
    process.env.UV_THREADPOOL_SIZE ??= '1';
  } else {
    // Later commands start sooner from the compile cache; it costs 8 MB while a command runs. The cache is in the
    // checkout because anyone can write to the default place, and we would run what they put there.
    process.getBuiltinModule('node:module').enableCompileCache(compileCache);
  }
  // Reading the source maps takes time. With them, the stack of an error names the files that were bundled.
  if (process.argv.includes('--debug')) process.setSourceMapsEnabled(true);
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { main } = await import(pathToFileURL(builtMain).href);
  // The space of a server may grow, up to its limit. With 1 MB, a server under load spends a quarter of its time on collecting
  // garbage.
  const isLimited = process.execArgv.some((option) => option.startsWith('--max-semi-space-size='));
  if (!isLimited) setYoungGenerationGrowth(1);
  // V8 lets the memory grow to four times what is in use before it collects all garbage. Whole lists make it grow, so two
  // and a half times saves a server a fifth of its memory. With less, lists would take longer.
  process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=150');
  process.exitCode = await main(process.argv);
  // The command is done. Don't wait longer for a connection that won't close, for example to a frozen database.
  setTimeout(() => process.exit(), 500).unref();
}

/**
 * Sets by what factor V8's space for new objects grows from now on. Whole lists make a lot of garbage, and by default V8 lets
 * it grow to 100 MB and more before collecting it.
 *
 * @param {number} factor
 */
function setYoungGenerationGrowth(factor) {
  process.getBuiltinModule('node:v8').setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/**
 * Reports whether the command opens the dashboard, where memory matters more than a fast start.
 *
 * @param {string[]} words
 */
function opensDashboard(words) {
  return words.length === 0 || words.includes('dashboard');
}

/** Says how to run the program on a newer Node. */
function findNode() {
  return existsSync(`${root}node_modules/.bin/node`)
    ? `Run ${process.argv[1]} without \`node\` before it.`
    : `Run \`npm ci\` in ${root} or install a newer Node.`;
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
