// Installs and builds what is missing; the npm scripts call it first. It must run on Node 20 and without any package,
// because it is what installs the rest.
import { build, isBuilt } from './prepare/build.js';
import { install, isInstalled, nodePackage } from './prepare/install.js';
import { withLock } from './prepare/lock.js';
import { minNodeMajor, runsOnNode } from './prepare/paths.js';

async function prepare() {
  // If npm has no Node for the platform, the current Node does everything.
  const minMajor = nodePackage ? 20 : minNodeMajor;
  if (!runsOnNode(minMajor)) {
    throw new Error(`Backoffice needs Node ${minMajor} or newer; this is Node ${process.versions.node}.`);
  }
  if (isInstalled() && isBuilt()) return;
  await withLock(async () => {
    // Check again: the previous owner of the lock has probably done the work.
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
  });
}

try {
  await prepare();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
