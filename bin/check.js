// Runs every check and test, each to its end, and sums up; `npm test` calls it after prepare.js. Arguments go
// to vitest, as in `npm test -- test/http`.
import { join } from 'node:path';
import { ownNode, root } from './launcher/paths.js';
import { run } from './launcher/run.js';
import { countTests } from './launcher/vitest.js';

const colors = process.stdout.isTTY ? 'force' : 'off';
const checks = [
  { name: 'lint', tool: '@biomejs/biome/bin/biome', args: ['ci', `--colors=${colors}`, '.'] },
  { name: 'types', tool: 'typescript/bin/tsc', args: ['--noEmit'] },
];
const plain = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined };

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];

for (const { name, tool, args } of checks) {
  console.log(`\n== ${name}`);
  const { code } = await run(ownNode, [join(root, 'node_modules', tool), ...args], { env: plain });
  add(name, code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 });
}
console.log('\n== tests');
add('tests', await countTests(process.argv.slice(2), plain));

console.log(`\n${summary.join('\n')}\n${inWords(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function add(name, counts) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  summary.push(`${name}: ${inWords(counts)}`);
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
