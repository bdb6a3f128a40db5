import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import xterm from '@xterm/headless';
import { executable, withoutEnvironment } from './command.ts';

export interface ScreenOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly rows?: number;
  /** A program to run instead of `backoffice`. */
  readonly program?: string;
  /** A shell's words before the command, such as `printf before;`. */
  readonly before?: string;
}

/** `backoffice` on a pseudo-terminal, whose screen is looked at as somebody who sits before it does. */
export interface LiveScreen {
  /** The lines that are seen, without blanks at their ends. */
  lines(): string[];
  text(): string;
  /** Everything that the terminal got. */
  raw(): string;
  /** Resolves with the next thing that the terminal gets. */
  next(): Promise<void>;
  /** Whether the alternate screen is shown. */
  isAlternate(): boolean;
  isCursorHidden(): boolean;
  /** Resolves when the screen shows the pattern; rejects with the screen when it has not in time. */
  shows(pattern: RegExp | string, milliseconds?: number): Promise<string>;
  /** Resolves when the screen does not show the pattern any more. */
  hides(pattern: RegExp | string): Promise<void>;
  /** Presses keys, a string for each press. */
  press(...keys: readonly string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Writes onto the terminal, as some other program does. */
  scribble(text: string): Promise<void>;
  /** The settings of the terminal, as `stty -a` tells them. */
  settings(): Promise<string>;
  pid(): Promise<number>;
  readonly ended: Promise<number | null>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const patience = 30_000;

export const keys = {
  esc: '\u001B',
  enter: '\r',
  up: '\u001B[A',
  down: '\u001B[B',
  tab: '\t',
  send: '\u0013',
};

/** Behind what Ink draws at once. */
const frameEnd = new RegExp(`(?<=${keys.esc}\\[\\?2026l)`);

/** Opens a pseudo-terminal, which `script` (util-linux) makes, and runs `backoffice` on it. */
export async function openScreen(args: readonly string[], options: ScreenOptions = {}): Promise<LiveScreen> {
  const { columns = 80, rows = 24, env = {}, before = '', program = executable } = options;
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-screen-'));
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const facts = join(folder, 'facts');
  // What stays open afterwards is the shell, so that the terminal can be looked at when the command has ended.
  const command = `stty cols ${columns} rows ${rows}; ${before} sh -c 'echo "$(tty) $$" > ${facts}; exec "$@"' sh ${words.join(' ')}; code=$?; stty -a > ${facts}.after; exit $code`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...withoutEnvironment(), TERM: 'xterm-256color', ...env },
    cwd: tmpdir(),
  });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const lookers = new Set<() => void>();
  let raw = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    // Each frame is looked at, also where several come in one piece: what is seen for a while only is not missed.
    for (const frame of text.split(frameEnd)) {
      terminal.write(frame, () => {
        for (const look of lookers) look();
      });
    }
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => terminal.write('', () => resolve(code)));
  });

  const screen: LiveScreen = {
    lines() {
      const buffer = terminal.buffer.active;
      return Array.from(
        { length: terminal.rows },
        (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '',
      );
    },
    text: () => screen.lines().join('\n'),
    raw: () => raw,
    next: () => new Promise((resolve) => child.stdout.once('data', () => resolve())),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    isCursorHidden: () => raw.lastIndexOf('\u001B[?25l') > raw.lastIndexOf('\u001B[?25h'),
    shows: (pattern, milliseconds = patience) =>
      wait((text) => matches(text, pattern), `shows ${pattern}`, milliseconds),
    async hides(pattern) {
      await wait((text) => !matches(text, pattern), `hides ${pattern}`, patience);
    },
    async press(...pressed) {
      for (const key of pressed) {
        child.stdin.write(key);
        // A terminal cannot tell Esc from the start of a sequence but by the pause behind it.
        if (key === keys.esc) await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async resize(width, height) {
      terminal.resize(width, height);
      const [tty = ''] = (await factsOf(facts)).split(' ');
      await run('stty', ['-F', tty, 'cols', String(width), 'rows', String(height)]);
    },
    async scribble(text) {
      const [tty = ''] = (await factsOf(facts)).split(' ');
      await writeFile(tty, text);
    },
    settings: () => readFile(`${facts}.after`, 'utf8'),
    pid: async () => Number((await factsOf(facts)).split(' ')[1]),
    ended,
    async close() {
      const pid = await screen.pid().catch(() => 0);
      if (child.exitCode === null && pid > 0) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {}
      }
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };

  function wait(isSo: (text: string) => boolean, what: string, milliseconds: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = () => {
        lookers.delete(look);
        clearTimeout(timer);
      };
      const look = () => {
        const text = screen.text();
        if (!isSo(text)) return;
        end();
        resolve(text);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`After ${milliseconds} ms it still is not so that it ${what}:\n${screen.text()}`));
      }, milliseconds);
      lookers.add(look);
      look();
    });
  }
  return screen;
}

function matches(text: string, pattern: RegExp | string): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
}

/** What the shell wrote down before the command began. */
async function factsOf(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
