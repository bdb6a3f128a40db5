// `npm run test:faults`: proves for minutes what the tests show in seconds: nothing is lost when something fails.
// Arguments go to vitest, such as a file.
import { join } from 'node:path';
import { countTests, describeCounts, plainOutput as env } from './launcher/vitest.js';

const config = join('test', 'faults', 'vitest.config.ts');
const counts = await countTests(['--config', config, ...process.argv.slice(2)], env);
console.log(`\n${describeCounts(counts)}`);
process.exitCode = counts.failed > 0 ? 1 : 0;
