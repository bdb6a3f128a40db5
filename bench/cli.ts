/**
 * `npm run bench:cli`: measures how long commands take and how much memory whole lists take, and writes the figures to
 * cli-results.md. With the name of a part, `latency` or `memory`, it measures only that one, and prints its figures.
 */
import { measureLatency } from './cli/latency.ts';
import { measureMemory } from './cli/memory.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';
import { judge, renderTable, type Section, writeReport } from './report.ts';

const parts = {
  latency: { issues: 1_000, measure: measureLatency },
  memory: { issues: 1_000_000, measure: measureMemory },
};
const asked = process.argv.slice(2);

await withPostgres(async (serverUrl) => {
  const sections: Section[] = [];
  for (const [name, { issues, measure }] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
    const section = await measure(await createFilledDatabase(serverUrl, issues), issues);
    console.log(section.tables.map(renderTable).join('\n\n'));
    sections.push(section);
  }
  if (asked.length > 0) judge(sections);
  else
    await writeReport({
      file: 'cli-results.md',
      title: 'Benchmark of the command line',
      about: 'The built command, on the same machine as Postgres and the service, with its output in a pipe.',
      run: '`npm run bench:cli`, or one part with `npm run bench:cli -- memory`. It takes about 5 minutes.',
      machine: await describeMachine(serverUrl),
      sections,
    });
});
