/** `npm run bench:tui`: measures the dashboard in a real pseudo-terminal, on 100,000 issues, and prints what it found. */
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { keys, type LiveScreen, openScreen } from '../test/support/terminal/screen.ts';
import { createFilledDatabase } from './fill.ts';
import { describeMachine } from './machine.ts';
import { withPostgres } from './postgres.ts';

const issues = 100_000;
const sizes = [
  [80, 24],
  [300, 80],
] as const;
const presses = 40;

interface Line {
  readonly what: string;
  readonly found: number;
  readonly unit: 'ms' | 'MB';
  readonly target: number;
}

await withPostgres(async (serverUrl) => {
  console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
  const url = await createFilledDatabase(serverUrl, issues);
  console.log(
    `${await describeMachine(url)}; ${loadavg()[0]?.toFixed(1)} processes want to run before it begins`,
  );
  const lines: Line[] = [];
  for (const [columns, rows] of sizes) lines.push(...(await measure(url, columns, rows)));
  for (const { what, found, unit, target } of lines) {
    const verdict = found <= target ? 'met' : 'MISSED';
    console.log(
      `${what.padEnd(58)} ${found.toFixed(0).padStart(6)} ${unit}   ≤ ${target} ${unit}   ${verdict}`,
    );
  }
  if (lines.some(({ found, target }) => found > target)) process.exitCode = 1;
});

async function measure(databaseUrl: string, columns: number, rows: number): Promise<Line[]> {
  const size = `${columns}×${rows}`;
  const starts: number[] = [];
  const busy: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    const screen = await open(databaseUrl, columns, rows);
    await screen.shows('1 Issues');
    starts.push(performance.now() - started);
    busy.push(await busyOf(await screen.pid()));
    await screen.press('q');
    await screen.ended;
    await screen.close();
  }
  const screen = await open(databaseUrl, columns, rows);
  try {
    await screen.shows(/❯ +\d/);
    const down = await pressed(screen, 'j');
    const pages = await pressed(screen, '\u0006');
    const began = performance.now();
    await screen.press('G');
    await screen.shows(/❯ +1 /, 120_000);
    const toTheEnd = performance.now() - began;
    const up = await pressed(screen, 'k');
    const pagesUp = await pressed(screen, '\u0002');
    await screen.press('o');
    await screen.shows('SEVERITY ▾');
    const sorted = await pressed(screen, 'j');
    await screen.press('/');
    await screen.shows('── Filter');
    const typed = await pressed(screen, 'a');
    await screen.press(keys.enter);
    const memory = await memoryOf(await screen.pid());
    const keyLines = (what: string, { times, busy }: Presses): Line[] => [
      {
        what: `${size}: key to repaint, ${what}, median of ${presses}`,
        found: at(times, 0.5),
        unit: 'ms',
        target: 50,
      },
      { what: `${size}: key to repaint, ${what}, 95 of 100`, found: at(times, 0.95), unit: 'ms', target: 50 },
      { what: `${size}: processor time of a press, ${what}`, found: busy, unit: 'ms', target: 50 },
    ];
    return [
      {
        what: `${size}: start to first frame (best of 5)`,
        found: Math.min(...starts),
        unit: 'ms',
        target: 700,
      },
      ...keyLines('one down', down),
      ...keyLines('a page down', pages),
      { what: `${size}: to the last of ${issues}, first time`, found: toTheEnd, unit: 'ms', target: 20_000 },
      ...keyLines('one up, all loaded', up),
      ...keyLines('a page up, all loaded', pagesUp),
      ...keyLines('one down, sorted by severity', sorted),
      ...keyLines('a letter of a filter', typed),
      { what: `${size}: memory with all loaded (peak resident)`, found: memory, unit: 'MB', target: 150 },
    ];
  } finally {
    await screen.close();
  }
}

function at(times: readonly number[], share: number): number {
  return times[Math.floor(times.length * share)] ?? Number.NaN;
}

function open(databaseUrl: string, columns: number, rows: number): Promise<LiveScreen> {
  return openScreen(['dashboard'], { columns, rows, env: { DATABASE_URL: databaseUrl } });
}

interface Presses {
  /** Milliseconds from the press until the terminal gets the first of the next frame. */
  readonly times: readonly number[];
  /** Milliseconds that each kept the processor busy, on average: what the time would be with nobody else there. */
  readonly busy: number;
}

async function pressed(screen: LiveScreen, key: string): Promise<Presses> {
  const times: number[] = [];
  const pid = await screen.pid();
  const before = await busyOf(pid);
  for (let press = 0; press < presses; press += 1) {
    const frame = screen.next();
    const began = performance.now();
    await screen.press(key);
    await frame;
    times.push(performance.now() - began);
    // The next press comes when this frame is whole.
    await pause(60);
  }
  return { times: times.sort((one, other) => one - other), busy: ((await busyOf(pid)) - before) / presses };
}

/** Milliseconds of processor time that a process has had, all its threads together; Linux counts it in hundredths. */
async function busyOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
