/** `npm run bench:tui`: measures the dashboard in a real pseudo-terminal, on 100,000 issues, and prints what it found. */
import { readFile } from 'node:fs/promises';
import { keys, type LiveScreen, openScreen } from '../test/support/screen.ts';
import { createFilledDatabase } from './fill.ts';
import { describeMachine } from './machine.ts';
import { withPostgres } from './postgres.ts';

const issues = 100_000;
const sizes = [
  [80, 24],
  [300, 80],
] as const;
const presses = 60;

interface Line {
  readonly what: string;
  readonly found: number;
  readonly unit: 'ms' | 'MB';
  readonly target: number;
}

await withPostgres(async (serverUrl) => {
  console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
  const url = await createFilledDatabase(serverUrl, issues);
  console.log(await describeMachine(url));
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
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    const screen = await open(databaseUrl, columns, rows);
    await screen.shows('1 Issues');
    starts.push(performance.now() - started);
    await screen.press('q');
    await screen.ended;
    await screen.close();
  }
  const screen = await open(databaseUrl, columns, rows);
  try {
    await screen.shows(/❯ +\d/);
    const down = await latencies(screen, 'j');
    const pages = await latencies(screen, '\u0006');
    const began = performance.now();
    await screen.press('G');
    await screen.shows(/❯ +1 /, 120_000);
    const toTheEnd = performance.now() - began;
    const up = await latencies(screen, 'k');
    const pagesUp = await latencies(screen, '\u0002');
    await screen.press('o');
    await screen.shows('SEVERITY ▾');
    const sorted = await latencies(screen, 'j');
    await screen.press('/');
    await screen.shows('── Filter');
    const typed = await latencies(screen, 'a');
    await screen.press(keys.enter);
    const memory = await memoryOf(await screen.pid());
    const keyLine = (what: string, times: number[]) => ({
      what: `${size}: key to repaint, ${what} (95th of ${times.length})`,
      found: times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN,
      unit: 'ms' as const,
      target: 50,
    });
    return [
      {
        what: `${size}: start to first frame (best of 5)`,
        found: Math.min(...starts),
        unit: 'ms',
        target: 700,
      },
      keyLine('one down', down),
      keyLine('a page down', pages),
      { what: `${size}: to the last of ${issues}, first time`, found: toTheEnd, unit: 'ms', target: 20_000 },
      keyLine('one up, all loaded', up),
      keyLine('a page up, all loaded', pagesUp),
      keyLine('one down, sorted by severity', sorted),
      keyLine('a letter of a filter', typed),
      { what: `${size}: memory with all loaded (peak resident)`, found: memory, unit: 'MB', target: 150 },
    ];
  } finally {
    await screen.close();
  }
}

function open(databaseUrl: string, columns: number, rows: number): Promise<LiveScreen> {
  return openScreen(['dashboard'], { columns, rows, env: { DATABASE_URL: databaseUrl } });
}

/** Milliseconds from a press of a key until the screen is another. */
async function latencies(screen: LiveScreen, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let press = 0; press < presses; press += 1) {
    const before = screen.raw().length;
    const began = performance.now();
    await screen.press(key);
    while (screen.raw().length === before) {
      if (performance.now() - began > 2_000)
        throw new Error(`${JSON.stringify(key)} changed nothing:\n${screen.text()}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    times.push(performance.now() - began);
    // The next press comes when this frame is whole.
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return times;
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
