// Makes a checkout ready to run: `npm start` and `npm test` call it first. It runs on Node 20 and on
// nothing but Node, because it is what installs the rest.
import { build, isBuilt } from './launcher/build.js';
import { install, isInstalled } from './launcher/install.js';
import { alone } from './launcher/lock.js';

const OLDEST_NODE = 20;

async function prepare() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new Error(
      `Backoffice installs with Node ${OLDEST_NODE} or newer; this is Node ${process.versions.node}.`,
    );
  }
  if (isInstalled() && isBuilt()) return;
  await alone(async () => {
    // Asked again: whoever held the lock before us has probably done it.
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
  });
}

try {
  await prepare();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
