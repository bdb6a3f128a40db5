/**
 * `npm run bench:web`: measures the web dashboard with 100,000 issues in a browser, and writes the figures to
 * web-results.md.
 */
import { launchBrowser } from '../test/support/page/browser.ts';
import { type FirstView, firstViews } from '../test/support/page/first-views.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';
import { type Row, writeReport } from './report.ts';
import { startService } from './servers/contender.ts';
import { type Memory, measureMemory } from './web/memory.ts';
import { measureScrolling, rowsPerFrame, type Scrolling } from './web/scrolling.ts';

const issues = 100_000;
const maxFrameMs = 33;
const maxRows = 100;
const maxGrowth = 0.1;
const maxScript = 205_000;
const maxStyle = 25_000;

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
    await writeReport({
      file: 'web-results.md',
      title: 'Benchmark of the web dashboard',
      about: `A real Chromium without a graphics card shows the dashboard of the built service, on the same machine as the service and
Postgres. The frames are those of a window of 1440×900 that scrolls by ${rowsPerFrame} rows in each of them, from the first issue to the
last, while the pages of the list are loaded. An hour of events (changed and new issues, comments, messages) is sent in
20 seconds to a page that shows an issue and a list of which 10 pages are loaded; the memory is that of its objects after a
collection of garbage.`,
      run: '`npm run bench:web`. It takes about 4 minutes.',
      machine: await describeMachine(databaseUrl),
      sections: [
        {
          tables: [
            {
              columns: ['figure', 'result', 'beside it', 'target'],
              rows: [...scrollingRows(scrolling), memoryRow(memory)],
            },
          ],
        },
        {
          heading: 'First view of each page',
          text: `Everything that the page loads before it can be seen, compressed by gzip. Targets: less than ${maxScript / 1000} kB of script
and ${maxStyle / 1000} kB of style.`,
          tables: [{ columns: ['page', 'script', 'style'], rows: (await firstViews()).map(viewRow) }],
        },
      ],
    });
  } finally {
    await browser.close();
    await service.stop();
  }
});

function scrollingRows({ p50, p95, p99, emptyP95, ...scrolling }: Scrolling): readonly Row[] {
  const ms = (time: number) => `${time.toFixed(1)} ms`;
  return [
    {
      cells: [
        `time of a frame while ${scrolling.issues.toLocaleString('en')} issues scroll by, p95`,
        ms(p95),
        `p50 ${ms(p50)}, p99 ${ms(p99)}; an empty page: p95 ${ms(emptyP95)}`,
        `≤ ${maxFrameMs} ms`,
      ],
      met: p95 <= maxFrameMs,
    },
    {
      cells: [
        'rows in the document at most',
        `${scrolling.maxRows}`,
        `${scrolling.frames.toLocaleString('en')} frames`,
        `< ${maxRows}`,
      ],
      met: scrolling.maxRows < maxRows,
    },
  ];
}

function memoryRow({ events, heapMb }: Memory): Row {
  const [first = Number.NaN] = heapMb;
  const growth = Math.max(...heapMb) / first - 1;
  return {
    cells: [
      `memory over ${events.toLocaleString('en')} events, growth after the first tenth`,
      `${(growth * 100).toFixed(1)} %`,
      `${heapMb.map((mb) => mb.toFixed(1)).join(', ')} MB`,
      `< ${maxGrowth * 100} %`,
    ],
    met: growth < maxGrowth,
  };
}

function viewRow({ page, script, style }: FirstView): Row {
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const name = page.replace(/-pages?$/, '');
  return { cells: [name, kb(script), kb(style)], met: script < maxScript && style < maxStyle };
}
