/**
 * `npm run bench:tui`: measures the terminal dashboard with 100,000 issues in a pseudo-terminal, and writes the figures to
 * tui-results.md.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { keys, type LiveScreen, openScreen } from '../test/support/run/screen.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';
import { type KeyFigure, type SizeFigures, writeTuiReport } from './tui/report.ts';

const issues = 100_000;
const sizes = [
  [80, 24],
  [300, 80],
] as const;
const starts = 5;
const presses = 40;

await withPostgres(async (serverUrl) => {
  console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
  const url = await createFilledDatabase(serverUrl, issues);
  const figures: SizeFigures[] = [];
  for (const [columns, rows] of sizes) {
    console.log(`Measuring ${columns}×${rows}`);
    figures.push(await measure(url, columns, rows));
  }
  const { text, missed } = writeTuiReport(figures, issues, await describeMachine(url));
  await writeFile(new URL('./tui-results.md', import.meta.url), text);
  console.log(`Wrote bench/tui-results.md. ${missed} targets missed.`);
  if (missed > 0) process.exitCode = 1;
});

async function measure(databaseUrl: string, columns: number, rows: number): Promise<SizeFigures> {
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
    const figures = [
      await pressed(screen, 'one down', ['j']),
      await pressed(screen, 'a page down', ['\u0006']),
    ];
    const pid = await screen.pid();
    const cpuMsBefore = await cpuTimeMs(pid);
    const pressedAt = performance.now();
    await screen.press('G');
    await screen.shows(/❯ +1 /, 120_000);
    const loadAllMs = performance.now() - pressedAt;
    const loadAllCpuMs = (await cpuTimeMs(pid)) - cpuMsBefore;
    figures.push(
      await pressed(screen, 'to the first and the last, all loaded', ['g', 'G']),
      await pressed(screen, 'one up, all loaded', ['k']),
      await pressed(screen, 'a page up, all loaded', ['\u0002']),
    );
    await screen.press('o');
    await screen.shows('SEVERITY ▼');
    figures.push(await pressed(screen, 'one down, sorted by severity', ['j']));
    await screen.press('/');
    await screen.shows('── Filter');
    figures.push(await pressed(screen, 'a letter of the filter', ['a']));
    await screen.press(keys.enter);
    const peakMb = await peakMemoryMb(pid);
    const best = Math.min(...startMs);
    return { columns, rows, startMs: best, keys: figures, loadAllMs, loadAllCpuMs, peakMb };
  } finally {
    await screen.close();
  }
}

function open(databaseUrl: string, columns: number, rows: number): Promise<LiveScreen> {
  return openScreen(['dashboard', '--view', 'All'], { columns, rows, env: { DATABASE_URL: databaseUrl } });
}

/** Presses keys in turn. */
async function pressed(screen: LiveScreen, name: string, turns: readonly string[]): Promise<KeyFigure> {
  const timesMs: number[] = [];
  const pid = await screen.pid();
  const cpuMsBefore = await cpuTimeMs(pid);
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
  timesMs.sort((a, b) => a - b);
  return { name, medianMs: percentile(timesMs, 50), p95Ms: percentile(timesMs, 95), cpuMs };
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
