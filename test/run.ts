// `npm test`: runs every check and test, each to its end, and prints a summary. With arguments it runs vitest alone
// and passes them on, as in `npm test -- test/http/log.test.ts`. Other npm scripts start with one of the options of `suites`.
import { join } from 'node:path';
import { runTool } from '../bin/prepare/run.js';
import { testOnCluster } from './cluster/support/run.ts';
import { installTestPostgres, postgresMajors } from './support/packages.ts';
import { type Counts, countTests, describeCounts, plainOutput as env } from './support/vitest.ts';

const colors = process.stdout.isTTY ? 'force' : 'off';
const checks = [
  { name: 'lint', tool: '@biomejs/biome/bin/biome', args: ['ci', `--colors=${colors}`, '.'] },
  // Each of several threads checks again what they share, which takes three times the CPU time.
  { name: 'types', tool: 'typescript/bin/tsc', args: ['--noEmit', '--singleThreaded'] },
  {
    name: 'types of web',
    tool: 'typescript/bin/tsc',
    args: ['--noEmit', '--singleThreaded', '--project', 'web'],
  },
];

/** Other tests, or other ways to run the tests, by their option. Each returns undefined if its arguments are invalid. */
const suites = new Map<string, (args: string[]) => Promise<Counts | undefined>>([
  ['--slow', (args) => countTests(args, { BACKOFFICE_TEST_SLOW: '1' })],
  ['--faults', (args) => countTests(['--config', join('test', 'faults', 'vitest.config.ts'), ...args], {})],
  ['--cluster', testOnCluster],
  ['--postgres', testOnPostgres],
]);

const [option = '', ...args] = process.argv.slice(2);
const suite = suites.get(option);
const counts = suite ? await suite(args) : await test(process.argv.slice(2));
if (counts) console.log(`\n${describeCounts(counts)}`);
process.exitCode = counts === undefined ? 2 : counts.failed > 0 ? 1 : 0;

/** Runs the tests, and beside them the checks if no tests are selected: most tests wait for something, and leave them time. */
async function test(vitestArgs: readonly string[]): Promise<Counts> {
  const checked = vitestArgs.length === 0 ? checks.map(check) : [];
  console.log('\n== tests');
  const tests = { name: 'tests', ...(await countTests(vitestArgs, {})) };
  const results = [...(await Promise.all(checked)), tests];
  console.log(`\n${results.map(({ name, ...counted }) => `${name}: ${describeCounts(counted)}`).join('\n')}`);
  const sum = (key: keyof Counts) => results.reduce((total, result) => total + result[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** Runs a check, and prints what it says when it ends. */
async function check({ name, tool, args: toolArgs }: (typeof checks)[number]) {
  const { code, output } = await runTool(join('node_modules', tool), toolArgs, { env, quiet: true });
  console.log(`\n== ${name}\n${output}`);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Runs the tests on a major version of Postgres, which is the first argument. */
async function testOnPostgres([major = '', ...vitestArgs]: string[]): Promise<Counts | undefined> {
  if (!postgresMajors.includes(major)) {
    console.error(`Usage: npm run test:postgres -- <${postgresMajors.join('|')}> [test files]`);
    return undefined;
  }
  const postgres = await installTestPostgres(major);
  console.log(`\n== tests on Postgres ${major}`);
  return await countTests(vitestArgs, { BACKOFFICE_TEST_POSTGRES: postgres });
}
