/**
 * `npm run bench:web`: measures the web dashboard with 100,000 issues in a browser, and writes the figures to
 * web-results.md.
 */
import { writeFile } from 'node:fs/promises';
import { launchBrowser } from '../test/support/page/browser.ts';
import { firstViews } from '../test/support/page/first-views.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';
import { startService } from './servers/contender.ts';
import { measureMemory } from './web/memory.ts';
import { writeWebReport } from './web/report.ts';
import { measureScrolling } from './web/scrolling.ts';

const issues = 100_000;

await withPostgres(async (serverUrl) => {
  console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
  const databaseUrl = await createFilledDatabase(serverUrl, issues);
  const service = await startService(databaseUrl);
  const browser = await launchBrowser();
  try {
    const window = { browser, url: service.url, cookie: service.headers.cookie ?? '' };
    const scrolling = await measureScrolling(window, issues);
    console.log(scrolling);
    const memory = await measureMemory(window);
    console.log(memory);
    const views = await firstViews();
    const { text, missed } = writeWebReport({
      machine: await describeMachine(databaseUrl),
      scrolling,
      memory,
      views,
    });
    await writeFile(new URL('./web-results.md', import.meta.url), text);
    console.log(`Wrote bench/web-results.md. ${missed} targets missed.`);
    if (missed > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await service.stop();
  }
});
