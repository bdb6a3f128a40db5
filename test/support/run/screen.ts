import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import xterm from '@xterm/headless';
import { executable, lineOf, spawnOnTerminal } from './process.ts';

export interface ScreenOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly rows?: number;
  /** Shell code that runs before the command, such as `printf before;`. */
  readonly before?: string;
  /** Opens an interactive bash, whose command `run` runs the command. Its prompt counts: `shell 1>`. */
  readonly isShell?: boolean;
}

/** `backoffice` on a pseudo-terminal, with the screen that a user would see. */
export type LiveScreen = Awaited<ReturnType<typeof openScreen>>;

const run = promisify(execFile);
const defaultTimeoutMs = 30_000;

export const keys = {
  esc: '\u001B',
  enter: '\r',
  up: '\u001B[A',
  down: '\u001B[B',
  send: '\u0013',
  bell: '\u0007',
  suspend: '\u001A',
};

/** Matches the position after each of Ink's synchronized updates. */
const frameEnd = new RegExp(`(?<=${keys.esc}\\[\\?2026l)`);

/** Opens a pseudo-terminal and runs `backoffice` on it. */
export async function openScreen(args: readonly string[], options: ScreenOptions = {}) {
  const { columns = 80, rows = 24, env = {}, before = '', isShell = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-screen-'));
  const facts = join(folder, 'facts');
  const line = lineOf([executable, ...args]);
  await writeFile(join(folder, 'run'), `#!/bin/sh\necho "$(tty) $$" > ${facts}\nexec ${line}\n`, {
    mode: 0o755,
  });
  await writeFile(join(folder, 'rc'), `PATH='${folder}':$PATH PS1='shell \\#> '\n`);
  // The shell outlives the command, so that the terminal can be inspected afterwards.
  const shell = isShell
    ? `exec bash --noprofile --rcfile '${folder}/rc' -i`
    : `'${folder}/run'; code=$?; stty -a > ${facts}.after; exit $code`;
  const child = spawnOnTerminal(`stty cols ${columns} rows ${rows}; ${before} ${shell}`, { env });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const listeners = new Set<() => void>();
  let raw = '';
  child.stdout.on('data', (text: string) => {
    raw += text;
    // Checks every frame, even if several arrive together, so that short-lived text is not missed.
    for (const frame of text.split(frameEnd)) {
      terminal.write(frame, () => {
        for (const listener of listeners) listener();
      });
    }
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => terminal.write('', () => resolve(code)));
  });

  const screen = {
    /** Returns the visible lines without trailing spaces. */
    lines() {
      const buffer = terminal.buffer.active;
      return Array.from(
        { length: terminal.rows },
        (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '',
      );
    },
    text: (): string => screen.lines().join('\n'),
    /** Returns everything that the terminal received. */
    raw: () => raw,
    /** Resolves when the terminal receives something. */
    next: () => new Promise<void>((resolve) => child.stdout.once('data', () => resolve())),
    /** Reports whether the alternate screen is shown. */
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    isCursorHidden: () => raw.lastIndexOf('\u001B[?25l') > raw.lastIndexOf('\u001B[?25h'),
    /** Resolves with the screen that shows the pattern. Rejects if it does not in time. */
    shows: (pattern: RegExp | string, timeoutMs = defaultTimeoutMs) =>
      waitFor((text) => matches(text, pattern), `show ${pattern}`, timeoutMs),
    /** Resolves when the screen does not show the pattern. */
    async hides(pattern: RegExp | string) {
      await waitFor((text) => !matches(text, pattern), `hide ${pattern}`, defaultTimeoutMs);
    },
    /** Presses keys, one string per press. */
    async press(...pressed: readonly string[]) {
      for (const key of pressed) child.stdin.write(key);
    },
    async resize(width: number, height: number) {
      terminal.resize(width, height);
      const [tty = ''] = (await factsOf(facts)).split(' ');
      await run('stty', ['-F', tty, 'cols', String(width), 'rows', String(height)]);
    },
    /** Writes to the terminal, as another program would. */
    async scribble(text: string) {
      const [tty = ''] = (await factsOf(facts)).split(' ');
      await writeFile(tty, text);
    },
    /** Resolves with the terminal settings from `stty -a`, after the command has ended. */
    settings: () => readFile(`${facts}.after`, 'utf8'),
    pid: async () => Number((await factsOf(facts)).split(' ')[1]),
    /** Takes the terminal away from its programs, as when its window is closed. */
    disconnect: () => void child.kill('SIGKILL'),
    ended,
    async close(): Promise<void> {
      const pid = await screen.pid().catch(() => 0);
      if (child.exitCode === null && pid > 0) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {}
      }
      child.stdin.end();
      // The shell may miss the end of its input while it takes the terminal back from the killed command.
      if (isShell) child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };

  function waitFor(isMet: (text: string) => boolean, expectation: string, timeoutMs: number) {
    return new Promise<string>((resolve, reject) => {
      const end = () => {
        listeners.delete(check);
        clearTimeout(timer);
      };
      const check = () => {
        const text = screen.text();
        if (!isMet(text)) return;
        end();
        resolve(text);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`Expected the screen to ${expectation} within ${timeoutMs} ms:\n${screen.text()}`));
      }, timeoutMs);
      listeners.add(check);
      check();
    });
  }
  return screen;
}

function matches(text: string, pattern: RegExp | string): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
}

/** Resolves with what the shell recorded before it started the command. */
async function factsOf(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
