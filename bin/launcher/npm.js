import { basename, delimiter, dirname } from 'node:path';
import { root } from './paths.js';
import { run } from './run.js';

/** How long the registry may take to answer a ping. An install without a network should end soon. */
const pingTimeoutMs = 5_000;
/** What npm says of a registry, or a proxy before it, that takes longer. */
const timedOut = /network timeout|\bE\w+TIMEOUT\b/;
/** The codes of npm's errors when the registry, or the proxy before it, cannot be reached. */
const noAnswer = /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b/;

/**
 * Installs the packages of a package-lock.json with `npm ci`. Without a network, takes them from npm's cache.
 *
 * @param {readonly string[]} args for `npm ci`
 * @param {string} [folder] by default, the checkout
 * @throws {Error} one sentence, after npm's own output.
 */
export async function installPackages(args, folder = root) {
  const ci = ['ci', ...args, '--no-audit', '--no-fund'];
  const problem = await findNetworkProblem(folder);
  if (problem === undefined) return await npm(ci, folder);
  const { code } = await runNpm([...ci, '--offline', '--fetch-retries=0'], { cwd: folder });
  if (code === 0) return;
  console.error(problem);
  throw new Error('Cannot reach the npm registry.');
}

/**
 * Pings the registry that npm is configured for, through the proxy that npm is configured for. Without an answer, `npm ci`
 * would try again for more than a minute, or wait for minutes.
 *
 * @param {string} cwd
 * @returns {Promise<string | undefined>} what happened if there is no answer. An error is an answer.
 */
async function findNetworkProblem(cwd) {
  const args = ['ping', `--fetch-timeout=${pingTimeoutMs}`, '--fetch-retries=0'];
  const { code, output } = await runNpm(args, { cwd });
  if (code === 0) return undefined;
  if (timedOut.test(output)) {
    const seconds = pingTimeoutMs / 1_000;
    return `The registry gave no answer in ${seconds} s. On a slow network, run \`npm ci\` in ${cwd}, which waits longer.`;
  }
  return noAnswer.test(output) ? output : undefined;
}

/**
 * Runs npm, by default in the checkout, and shows its output only if it fails.
 *
 * @param {string[]} args
 * @param {string} [cwd]
 * @throws {Error} one sentence, after npm's own output.
 */
export async function npm(args, cwd = root) {
  const { code, output } = await runNpm(args, { cwd });
  if (code === 0) return;
  console.error(output);
  throw new Error(`\`npm ${args[0]}\` failed in ${cwd}. Fix the errors above and run the command again.`);
}

/**
 * @param {string[]} args
 * @param {{ cwd: string }} options
 */
function runNpm(args, options) {
  const { npm_execpath: caller = '', PATH = '' } = process.env;
  // Under `npm start` use the npm that runs us, otherwise the one on the path.
  const [program, ...before] = basename(caller) === 'npm-cli.js' ? [process.execPath, caller] : ['npm'];
  // A dependency reports installs to its makers unless told not to.
  const env = { SCARF_ANALYTICS: 'false', PATH: `${dirname(process.execPath)}${delimiter}${PATH}` };
  // Without warnings: many packages want a newer Node than the one that runs npm. They run on the one that it installs.
  const all = [...before, ...args, '--loglevel=error'];
  return run(program, all, { ...options, quiet: true, env });
}
