// `npm test`: runs every check and test, each to its end, and prints a summary. With arguments it runs vitest alone
// and passes them on, as in `npm test -- test/http/log.test.ts`. Other npm scripts start with one of the options of `suites`.
import { join } from 'node:path';
import { ownNode } from './launcher/node.js';
import { root } from './launcher/paths.js';
import { run } from './launcher/run.js';
import { testOnCluster } from './launcher/test-cluster.js';
import { installTestPostgres, postgresMajors } from './launcher/test-postgres.js';
import { countTests, describeCounts, plainOutput as env } from './launcher/vitest.js';

/** @typedef {import('./launcher/vitest.js').Counts} Counts */

const colors = process.stdout.isTTY ? 'force' : 'off';
const checks = [
  {
    name: 'lint',
    tool: '@biomejs/biome/bin/biome',
    args: ['ci', `--colors=${colors}`, '.'],
  },
  // Each of several threads checks again what they share, which takes three times the CPU time.
  { name: 'types', tool: 'typescript/bin/tsc', args: ['--noEmit', '--singleThreaded'] },
  {
    name: 'types of web',
    tool: 'typescript/bin/tsc',
    args: ['--noEmit', '--singleThreaded', '--project', 'web'],
  },
];

/**
 * Other tests, or other ways to run the tests, by their option. Each returns undefined if its arguments are invalid.
 *
 * @type {Map<string, (args: string[]) => Promise<Counts | undefined>>}
 */
const suites = new Map([
  ['--slow', (args) => countTests(args, { ...env, BACKOFFICE_TEST_SLOW: '1' })],
  ['--faults', (args) => countTests(['--config', join('test', 'faults', 'vitest.config.ts'), ...args], env)],
  ['--cluster', testOnCluster],
  ['--postgres', testOnPostgres],
]);

const [option = '', ...args] = process.argv.slice(2);
const suite = suites.get(option);
const counts = suite ? await suite(args) : await test(process.argv.slice(2));
if (counts) console.log(`\n${describeCounts(counts)}`);
process.exitCode = counts === undefined ? 2 : counts.failed > 0 ? 1 : 0;

/**
 * Runs the tests, and beside them the checks if no tests are selected: most tests wait for something, and leave them time.
 *
 * @param {string[]} vitestArgs
 * @returns {Promise<Counts>}
 */
async function test(vitestArgs) {
  const checked = vitestArgs.length === 0 ? checks.map(check) : [];
  console.log('\n== tests');
  const tests = { name: 'tests', ...(await countTests(vitestArgs, env)) };
  const results = [...(await Promise.all(checked)), tests];
  console.log(`\n${results.map(({ name, ...counts }) => `${name}: ${describeCounts(counts)}`).join('\n')}`);
  return {
    passed: sum(results.map(({ passed }) => passed)),
    failed: sum(results.map(({ failed }) => failed)),
    skipped: sum(results.map(({ skipped }) => skipped)),
  };
}

/**
 * Runs a check, and prints what it says when it ends.
 *
 * @param {{ name: string, tool: string, args: string[] }} check
 * @returns {Promise<Counts & { name: string }>}
 */
async function check({ name, tool, args }) {
  const options = { env, quiet: true };
  const { code, output } = await run(ownNode, [join(root, 'node_modules', tool), ...args], options);
  console.log(`\n== ${name}\n${output}`);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

/**
 * Runs the tests on a major version of Postgres, which is the first argument.
 *
 * @param {string[]} args
 */
async function testOnPostgres([major = '', ...vitestArgs]) {
  if (!postgresMajors.includes(major)) {
    console.error(`Usage: npm run test:postgres -- <${postgresMajors.join('|')}> [test files]`);
    return undefined;
  }
  const postgres = await installTestPostgres(major);
  console.log(`\n== tests on Postgres ${major}`);
  return await countTests(vitestArgs, { ...env, BACKOFFICE_TEST_POSTGRES: postgres });
}
