/**
 * `npm run bench:cli`: measures how much memory whole lists take and how long commands take, and writes the figures to
 * cli-results.md. With the name of a part, `memory` or `latency`, it measures only that one.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fillBlocks } from '../cli/reference/blocks.ts';
import { measureLatency } from './cli/latency.ts';
import { measureMemory } from './cli/memory.ts';
import { renderLatency, renderMemory, template } from './cli/report.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';

const parts = process.argv.slice(2);
const wants = (part: string) => parts.length === 0 || parts.includes(part);
const issuesOfLatency = 1_000;
const issuesOfMemory = 1_000_000;
const file = new URL('./cli-results.md', import.meta.url);

await withPostgres(async (serverUrl) => {
  const blocks: Record<string, string> = {};
  let missed = 0;
  const fill = async (issues: number) => {
    console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
    return await createFilledDatabase(serverUrl, issues);
  };
  if (wants('latency')) {
    const databaseUrl = await fill(issuesOfLatency);
    const measured = renderLatency(await measureLatency(databaseUrl), await describeMachine(databaseUrl));
    blocks.latency = measured.text;
    missed += measured.missed;
    console.log(measured.text);
  }
  if (wants('memory')) {
    const databaseUrl = await fill(issuesOfMemory);
    const measured = renderMemory(
      await measureMemory(databaseUrl),
      issuesOfMemory,
      await describeMachine(databaseUrl),
    );
    blocks.memory = measured.text;
    missed += measured.missed;
    console.log(measured.text);
  }
  const current = existsSync(file) ? await readFile(file, 'utf8') : template;
  await writeFile(file, fillBlocks(current, blocks));
  console.log(`Wrote bench/cli-results.md. ${missed} targets missed.`);
  if (missed > 0) process.exitCode = 1;
});
