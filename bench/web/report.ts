import type { FirstView } from '../../test/support/page/first-views.ts';
import type { Memory } from './memory.ts';
import { rowsPerFrame, type Scrolling } from './scrolling.ts';

const maxFrameMs = 33;
const maxRows = 100;
const maxGrowth = 0.1;
const maxScript = 210_000;
const maxStyle = 25_000;

interface WebFigures {
  readonly machine: string;
  readonly scrolling: Scrolling;
  readonly memory: Memory;
  readonly views: readonly FirstView[];
}

/** Returns the results as Markdown, and how many targets they miss. */
export function writeWebReport({ machine, scrolling, memory, views }: WebFigures) {
  const { heapMb } = memory;
  const [first = Number.NaN] = heapMb;
  const growth = Math.max(...heapMb) / first - 1;
  const figures = [
    {
      name: `time of a frame while ${scrolling.issues.toLocaleString('en')} issues scroll by, p95`,
      result: ms(scrolling.p95),
      beside: `p50 ${ms(scrolling.p50)}, p99 ${ms(scrolling.p99)}; an empty page: p95 ${ms(scrolling.emptyP95)}`,
      target: `≤ ${maxFrameMs} ms`,
      met: scrolling.p95 <= maxFrameMs,
    },
    {
      name: 'rows in the document at most',
      result: `${scrolling.maxRows}`,
      beside: `${scrolling.frames.toLocaleString('en')} frames`,
      target: `< ${maxRows}`,
      met: scrolling.maxRows < maxRows,
    },
    {
      name: `memory over ${memory.events.toLocaleString('en')} events, growth after the first tenth`,
      result: `${(growth * 100).toFixed(1)} %`,
      beside: `${heapMb.map((mb) => mb.toFixed(1)).join(', ')} MB`,
      target: `< ${maxGrowth * 100} %`,
      met: growth < maxGrowth,
    },
  ];
  const pages = views.map((view) => ({
    ...view,
    met: view.script < maxScript && view.style < maxStyle,
  }));
  const text = `# Benchmark of the web dashboard

A real Chromium without a graphics card shows the dashboard of the built service, on the same machine as the service and
Postgres. The frames are those of a window of 1440×900 that scrolls by ${rowsPerFrame} rows in each of them, from the first issue to the
last, while the pages of the list are loaded. An hour of events (changed and new issues, comments, messages) is sent in
20 seconds to a page that shows an issue and a list of which 10 pages are loaded; the memory is that of its objects after a
collection of garbage.

- Run it with \`npm run bench:web\`. It takes about 4 minutes.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.

| figure | result | beside it | target | met |
|---|---|---|---|---|
${figures.map(({ name, result, beside, target, met }) => `| ${name} | ${result} | ${beside} | ${target} | ${yes(met)} |`).join('\n')}

## First view of each page

Everything that the page loads before it can be seen, compressed by gzip. Targets: less than ${maxScript / 1000} kB of script
and ${maxStyle / 1000} kB of style.

| page | script | style | met |
|---|---|---|---|
${pages.map(({ page, script, style, met }) => `| ${nameOf(page)} | ${kb(script)} | ${kb(style)} | ${yes(met)} |`).join('\n')}
`;
  return { text, missed: [...figures, ...pages].filter(({ met }) => !met).length };
}

const yes = (met: boolean) => (met ? 'yes' : '**no**');
const ms = (time: number) => `${time.toFixed(1)} ms`;
const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const nameOf = (page: string) => page.replace(/^.*\//, '').replace('-page.tsx', '');
