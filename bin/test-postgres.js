// `npm run test:postgres -- 15`: runs the tests on that major version of Postgres. Further arguments go to vitest.
import { installTestPostgres, postgresMajors } from './launcher/test-postgres.js';
import { countTests, describeCounts, plainOutput } from './launcher/vitest.js';

const [major = '', ...vitestArgs] = process.argv.slice(2);

if (postgresMajors.includes(major)) {
  const postgres = await installTestPostgres(major);
  console.log(`\n== tests on Postgres ${major}`);
  const counts = await countTests(vitestArgs, { ...plainOutput, BACKOFFICE_TEST_POSTGRES: postgres });
  console.log(`\n${describeCounts(counts)}`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
} else {
  console.error(`Usage: npm run test:postgres -- <${postgresMajors.join('|')}> [test files]`);
  process.exitCode = 2;
}
