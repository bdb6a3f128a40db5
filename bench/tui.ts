/**
 * `npm run bench:tui`: measures the terminal dashboard with 100,000 issues in a pseudo-terminal, and writes the figures to
 * tui-results.md.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { withServicesOf } from '../cli/access/database.ts';
import { localAccess } from '../cli/access/local.ts';
import { readConfig } from '../src/config.ts';
import { openDashboard } from '../test/support/run/dashboard.ts';
import { keys, type LiveScreen, openScreen } from '../test/support/run/screen.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';
import { type Row, type Section, writeReport } from './report.ts';

const issues = Number(process.argv[2] ?? 100_000);
const sizes = [
  [80, 24],
  [300, 80],
] as const;
const starts = 5;
const presses = 40;

const maxStartMs = 700;
const maxKeyMs = 50;
const maxKeyCpuMs = 30;
const maxIdlePercent = 1;
const maxCallsPerSecond = 4;
const maxPeakMb = 150;

/** Two of the reads with which a live dashboard finds what changes without an event. */
const idleSeconds = 60;
const changeSeconds = 10;
const changesPerSecond = 20;

await withPostgres(async (serverUrl) => {
  console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
  const url = await createFilledDatabase(serverUrl, issues);
  const sections: Section[] = [];
  for (const [columns, rows] of sizes) {
    console.log(`Measuring ${columns}×${rows}`);
    sections.push(await measure(url, columns, rows));
  }
  console.log('Counting calls');
  sections.push(await countCalls(url));
  await writeReport({
    file: 'tui-results.md',
    title: 'Benchmark of the terminal dashboard',
    about: `The built dashboard in a pseudo-terminal, directly on a database with ${issues.toLocaleString('en')} issues on the same machine. The time of a key
is the time until the terminal gets the start of the next frame. Its CPU time is that of all threads, on average; it does not
depend on other load. Over a slow line, the bytes that a key writes count. A key should take at most ${maxKeyMs} ms in 95 of 100 cases, and ${maxKeyCpuMs} ms of CPU.`,
    run: '`npm run bench:tui`. It takes about 5 minutes.',
    machine: await describeMachine(url),
    sections,
  });
});

async function measure(databaseUrl: string, columns: number, rows: number): Promise<Section> {
  const startMs: number[] = [];
  for (let run = 0; run < starts; run += 1) {
    const startedAt = performance.now();
    const screen = await open(databaseUrl, columns, rows);
    await screen.shows('1 Issues');
    startMs.push(performance.now() - startedAt);
    await screen.press('q');
    await screen.ended;
    await screen.close();
  }
  const screen = await open(databaseUrl, columns, rows);
  try {
    await screen.shows(/❯ +\d/);
    await screen.shows('● live');
    const pid = await screen.pid();
    const idleMsBefore = await cpuTimeMs(pid);
    await pause(idleSeconds * 1_000);
    const idlePercent = ((await cpuTimeMs(pid)) - idleMsBefore) / idleSeconds / 10;
    const pressedKeys = [
      await pressed(screen, 'one down', ['j']),
      await pressed(screen, 'a page down', ['\u0006']),
      await pressed(screen, 'to the first and the last that is loaded', ['g', 'G']),
      await pressed(screen, 'one up', ['k']),
      await pressed(screen, 'a page up', ['\u0002']),
    ];
    await screen.press('S', 'v');
    await screen.shows('SEVERITY ▼');
    pressedKeys.push(await pressed(screen, 'one down, sorted by severity', ['j']));
    await screen.press('/');
    await screen.shows(/^ +\/ /m);
    pressedKeys.push(await pressed(screen, 'a letter of the filter', ['a']));
    await screen.press(keys.enter);
    const peakMb = await peakMemoryMb(pid);
    const best = Math.min(...startMs);
    const others = [
      figure(`start to first frame, best of ${starts}`, ms(best), `≤ ${maxStartMs} ms`, best <= maxStartMs),
      figure(
        'CPU while nothing happens',
        `${idlePercent.toFixed(2)} %`,
        `≤ ${maxIdlePercent} %`,
        idlePercent <= maxIdlePercent,
      ),
      figure('peak memory', `${peakMb.toFixed(0)} MB`, `≤ ${maxPeakMb} MB`, peakMb <= maxPeakMb),
    ];
    return {
      heading: `${columns}×${rows}`,
      tables: [
        { columns: ['key', 'median', '95th percentile', 'CPU per key', 'bytes per key'], rows: pressedKeys },
        { columns: ['figure', 'result', 'target'], rows: others },
      ],
    };
  } finally {
    await screen.close();
  }
}

/** Counts what the screen of the issues asks for while others change issues. */
async function countCalls(databaseUrl: string): Promise<Section> {
  const config = readConfig({ ...process.env, DATABASE_URL: databaseUrl });
  return await withServicesOf(config, async (services) => {
    const access = localAccess(services, 'tui');
    let calls = 0;
    const counting: typeof access = {
      ...access,
      call(...call) {
        calls += 1;
        return access.call(...call);
      },
    };
    const dashboard = openDashboard(counting);
    try {
      await dashboard.shows('● live');
      // The first events of a connection ask for everything again.
      await pause(3_000);
      calls = 0;
      for (let change = 0; change < changeSeconds * changesPerSecond; change += 1) {
        const title = `Changed ${change} times`;
        await access.call('issues.update', { ids: [issues - (change % 20)], set: { title } });
        await pause(1_000 / changesPerSecond);
      }
      const perSecond = calls / changeSeconds;
      const name = `calls a second of the issues, while ${changesPerSecond} issues a second change`;
      const isFew = perSecond <= maxCallsPerSecond;
      const row = figure(name, perSecond.toFixed(1), `≤ ${maxCallsPerSecond}`, isFew);
      return { heading: 'Live', tables: [{ columns: ['figure', 'result', 'target'], rows: [row] }] };
    } finally {
      dashboard.close();
    }
  });
}

function open(databaseUrl: string, columns: number, rows: number): Promise<LiveScreen> {
  return openScreen(['dashboard', '--view', 'All'], { columns, rows, env: { DATABASE_URL: databaseUrl } });
}

function ms(time: number): string {
  return `${time.toFixed(time < 10 ? 1 : 0)} ms`;
}

function figure(name: string, result: string, target: string, met: boolean): Row {
  return { cells: [name, result, target], met };
}

/** Presses keys in turn, and returns how long each takes. */
async function pressed(screen: LiveScreen, name: string, turns: readonly string[]): Promise<Row> {
  const timesMs: number[] = [];
  const pid = await screen.pid();
  const cpuMsBefore = await cpuTimeMs(pid);
  const start = screen.raw().length;
  for (let press = 0; press < presses; press += 1) {
    const frame = screen.next();
    const pressedAt = performance.now();
    await screen.press(turns[press % turns.length] ?? '');
    await frame;
    timesMs.push(performance.now() - pressedAt);
    // Wait until the frame is complete.
    await pause(60);
  }
  const cpuMs = ((await cpuTimeMs(pid)) - cpuMsBefore) / presses;
  const bytes = Buffer.byteLength(screen.raw().slice(start)) / presses;
  timesMs.sort((a, b) => a - b);
  const p95Ms = percentile(timesMs, 95);
  return {
    cells: [name, ms(percentile(timesMs, 50)), ms(p95Ms), ms(cpuMs), bytes.toFixed(0)],
    met: p95Ms <= maxKeyMs && cpuMs <= maxKeyCpuMs,
  };
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? Number.NaN;
}

/** Returns the CPU time of the threads of a process. Linux counts it in nanoseconds. */
async function cpuTimeMs(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  const times = (await readdir(tasks)).map(async (thread) =>
    Number((await readFile(`${tasks}/${thread}/schedstat`, 'utf8').catch(() => '0')).split(' ')[0]),
  );
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0) / 1e6;
}

async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
