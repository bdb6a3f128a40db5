import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { executable, withoutEnvironment } from './command.ts';

export interface TerminalOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly answers?: readonly TerminalAnswer[];
  /** Returns the line for the shell that runs the command, such as one with a pipe. */
  readonly shell?: (command: string) => string;
}

export interface TerminalAnswer {
  /** The answer is typed as soon as the screen matches this. */
  readonly at: RegExp;
  readonly type: string;
  /** Runs before the answer is typed. */
  readonly after?: () => Promise<unknown>;
}

export interface TerminalRun {
  readonly code: number | null;
  /** The output, including colours. */
  readonly raw: string;
  /** The output without control sequences. */
  readonly text: string;
}

/** Runs `backoffice` on a real pseudo-terminal, created by `script` (util-linux). */
export async function inTerminal(
  args: readonly string[],
  options: TerminalOptions = {},
): Promise<TerminalRun> {
  const { columns = 80, env = {}, answers = [], shell = (line) => `exec ${line}` } = options;
  const words = [process.execPath, executable, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns} rows 24; ${shell(words.join(' '))}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...withoutEnvironment(), TERM: 'xterm-256color', ...env },
    cwd: tmpdir(),
  });
  let raw = '';
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    const next = left[0];
    if (next?.at.test(stripVTControlCharacters(raw))) {
      left.shift();
      void Promise.resolve(next.after?.()).then(() => child.stdin.write(next.type));
    }
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const clean = raw.replaceAll('\r\n', '\n');
  return { code, raw: clean, text: stripVTControlCharacters(clean) };
}
