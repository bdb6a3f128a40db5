/** `npm run bench:tui`: measures the dashboard with 100,000 issues in a pseudo-terminal and prints the figures. */
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { keys, type LiveScreen, openScreen } from '../test/support/terminal/screen.ts';
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';

const issues = 100_000;
const sizes = [
  [80, 24],
  [300, 80],
] as const;
const presses = 40;

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB';
  readonly target: number;
}

await withPostgres(async (serverUrl) => {
  console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
  const url = await createFilledDatabase(serverUrl, issues);
  console.log(`${await describeMachine(url)}; ${loadavg()[0]?.toFixed(1)} is the load before the start`);
  const figures: Figure[] = [];
  for (const [columns, rows] of sizes) figures.push(...(await measure(url, columns, rows)));
  for (const { name, value, unit, target } of figures) {
    const verdict = value <= target ? 'met' : 'MISSED';
    console.log(
      `${name.padEnd(58)} ${value.toFixed(0).padStart(6)} ${unit}   ≤ ${target} ${unit}   ${verdict}`,
    );
  }
  if (figures.some(({ value, target }) => value > target)) process.exitCode = 1;
});

async function measure(databaseUrl: string, columns: number, rows: number): Promise<Figure[]> {
  const size = `${columns}×${rows}`;
  const startMs: number[] = [];
  for (let run = 0; run < 5; run += 1) {
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
    const down = await pressed(screen, 'j');
    const pages = await pressed(screen, '\u0006');
    const pressedAt = performance.now();
    await screen.press('G');
    await screen.shows(/❯ +1 /, 120_000);
    const lastRowMs = performance.now() - pressedAt;
    const up = await pressed(screen, 'k');
    const pagesUp = await pressed(screen, '\u0002');
    await screen.press('o');
    await screen.shows('SEVERITY ▼');
    const sorted = await pressed(screen, 'j');
    await screen.press('/');
    await screen.shows('── Filter');
    const typed = await pressed(screen, 'a');
    await screen.press(keys.enter);
    const memoryMb = await peakMemoryMb(await screen.pid());
    const keyFigures = (key: string, { timesMs, cpuMs }: Presses): Figure[] => [
      {
        name: `${size}: key to repaint, ${key}, median of ${presses}`,
        value: percentile(timesMs, 50),
        unit: 'ms',
        target: 50,
      },
      {
        name: `${size}: key to repaint, ${key}, 95th percentile`,
        value: percentile(timesMs, 95),
        unit: 'ms',
        target: 50,
      },
      { name: `${size}: CPU time per key, ${key}`, value: cpuMs, unit: 'ms', target: 50 },
    ];
    return [
      {
        name: `${size}: start to first frame (best of 5)`,
        value: Math.min(...startMs),
        unit: 'ms',
        target: 700,
      },
      ...keyFigures('one down', down),
      ...keyFigures('a page down', pages),
      {
        name: `${size}: jump to the last of ${issues}, first time`,
        value: lastRowMs,
        unit: 'ms',
        target: 20_000,
      },
      ...keyFigures('one up, all loaded', up),
      ...keyFigures('a page up, all loaded', pagesUp),
      ...keyFigures('one down, sorted by severity', sorted),
      ...keyFigures('a letter of the filter', typed),
      { name: `${size}: peak memory, all loaded`, value: memoryMb, unit: 'MB', target: 150 },
    ];
  } finally {
    await screen.close();
  }
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? Number.NaN;
}

function open(databaseUrl: string, columns: number, rows: number): Promise<LiveScreen> {
  return openScreen(['dashboard', '--view', 'All'], { columns, rows, env: { DATABASE_URL: databaseUrl } });
}

interface Presses {
  /** The times from a press until the terminal gets the start of the next frame, sorted. */
  readonly timesMs: readonly number[];
  /** The average CPU time of a press, which does not depend on other load. */
  readonly cpuMs: number;
}

async function pressed(screen: LiveScreen, key: string): Promise<Presses> {
  const timesMs: number[] = [];
  const pid = await screen.pid();
  const cpuMsBefore = await cpuTimeMs(pid);
  for (let press = 0; press < presses; press += 1) {
    const frame = screen.next();
    const pressedAt = performance.now();
    await screen.press(key);
    await frame;
    timesMs.push(performance.now() - pressedAt);
    // Wait until the frame is complete.
    await pause(60);
  }
  const cpuMs = ((await cpuTimeMs(pid)) - cpuMsBefore) / presses;
  return { timesMs: timesMs.sort((a, b) => a - b), cpuMs };
}

/** Returns the CPU time of all threads of a process. Linux counts it in hundredths of a second. */
async function cpuTimeMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
