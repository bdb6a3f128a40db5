import { basename, delimiter, dirname } from 'node:path';
import { root } from './paths.js';
import { run } from './run.js';

/**
 * Runs npm, by default in the checkout, and shows its output only if it fails.
 *
 * @param {string[]} args
 * @param {string} [cwd]
 * @throws {Error} one sentence, after npm's own output.
 */
export async function npm(args, cwd = root) {
  const { npm_execpath: caller = '', PATH = '' } = process.env;
  // Under `npm start` use the npm that runs us, otherwise the one on the path.
  const [program, ...before] = basename(caller) === 'npm-cli.js' ? [process.execPath, caller] : ['npm'];
  // A dependency reports installs to its makers unless told not to.
  const env = { SCARF_ANALYTICS: 'false', PATH: `${dirname(process.execPath)}${delimiter}${PATH}` };
  const { code, output } = await run(program, [...before, ...args], { quiet: true, cwd, env });
  if (code === 0) return;
  console.error(output);
  throw new Error(`\`npm ${args[0]}\` failed in ${cwd}. Fix the errors above and run the command again.`);
}
