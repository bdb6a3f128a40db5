// `npm test`: runs every check and test, each to its end, and prints a summary. With arguments it runs vitest alone
// and passes them on, as in `npm test -- test/http/log.test.ts`.
import { join } from 'node:path';
import { ownNode } from './launcher/node.js';
import { root } from './launcher/paths.js';
import { run } from './launcher/run.js';
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
const vitestArgs = process.argv.slice(2);

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const summary = [];

if (vitestArgs.length === 0) {
  for (const { name, code, output } of await Promise.all(checks.map(runQuietly))) {
    console.log(`\n== ${name}\n${output}`);
    add(name, { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
  }
}
console.log('\n== tests');
add('tests', await countTests(vitestArgs, env));

console.log(`\n${summary.join('\n')}\n${describeCounts(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** @param {{ name: string, tool: string, args: string[] }} check */
async function runQuietly({ name, tool, args }) {
  const options = { env, quiet: true };
  return { name, ...(await run(ownNode, [join(root, 'node_modules', tool), ...args], options)) };
}

/**
 * @param {string} name
 * @param {Counts} counts
 */
function add(name, counts) {
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  summary.push(`${name}: ${describeCounts(counts)}`);
}
