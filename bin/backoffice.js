#!/usr/bin/env node
// The executable: finds a Node that is new enough and hands over to the built command line.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { handOver } from './launcher/hand-over.js';
import { builtMain, compileCache, ownNode, root } from './launcher/paths.js';

const NEEDED_NODE = 24;
const isNewEnough = Number.parseInt(process.versions.node, 10) >= NEEDED_NODE;

if (!existsSync(builtMain)) {
  fail(`Backoffice is not built yet: run \`npm start\`, or \`npm run build\`, in ${root}`);
} else if (isNewEnough) {
  // V8 would let what is garbage already grow to 100 MB and more: whole lists make a lot of it.
  setFlagsFromString('--semi-space-growth-factor=1');
  // React, which draws the dashboard, is leaner without its checks for developers.
  process.env.NODE_ENV ??= 'production';
  if (staysOpen(process.argv.slice(2))) {
    // One thread for files and names is enough for it, and each would keep memory of its own.
    process.env.UV_THREADPOOL_SIZE ??= '1';
  } else {
    // What was compiled once is kept for the next command, which then starts sooner; it costs 8 MB while it runs. Kept
    // beside what it is compiled from: whoever may write into the usual place, of everybody, would have us run it.
    module.enableCompileCache(compileCache);
  }
  const { main } = await import(pathToFileURL(builtMain).href);
  process.exitCode = await main(process.argv);
  // By now all is done. A connection that does not close, as to a database that has frozen, holds nobody up.
  setTimeout(() => process.exit(), 500).unref();
} else if (existsSync(ownNode)) {
  handOver(ownNode, process.argv.slice(1));
} else {
  fail(
    `Backoffice needs Node ${NEEDED_NODE} or newer, and this is Node ${process.versions.node}: run \`npm ci\` in ${root}`,
  );
}

/** Whether the dashboard is opened, whose memory matters more than the last bit of its start. */
function staysOpen(words) {
  return words.length === 0 || words.includes('dashboard');
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
