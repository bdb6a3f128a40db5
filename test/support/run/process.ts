import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/**
 * The key of the tests, for BACKOFFICE_ENCRYPTION_KEY. Services and commands share it, so that each opens what others
 * sealed.
 */
export const testEncryptionKey = Buffer.alloc(32, 'tests').toString('base64');

/** The built command. */
export const executable = fileURLToPath(new URL('../../../bin/backoffice.js', import.meta.url));

/** Ends the output of a command on a terminal that others use after it, before its exit code. */
export const endMark = '\u001b_end ';

/**
 * The configuration of the commands: none. A person who runs the tests may be signed in to a server. Only a command that
 * crashes makes the folder, which no other run or user may find.
 */
const noConfiguration = join(tmpdir(), `backoffice-no-configuration-${randomUUID()}`);
process.on('exit', () => rmSync(noConfiguration, { recursive: true, force: true }));

/** Returns the environment of this process without variables that configure the command, and the key of the tests. */
export function withoutEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR: tmpdir(),
    BACKOFFICE_CONFIG: noConfiguration,
    BACKOFFICE_ENCRYPTION_KEY: testEncryptionKey,
    // On a terminal, a pager would wait for a key.
    BACKOFFICE_PAGER: 'cat',
  };
}

/**
 * The words that ask for completions. They allow a lookup to take long, because a busy machine needs more time to start a
 * thread than a person waits at a prompt.
 */
export const suggestWords = ['completion', 'suggest', '--timeout-ms', '50000'] as const;

export interface Finished {
  /** The exit code, or null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** The executable, by default that of this checkout. */
  readonly program?: string;
  /** How many files and connections it may have open. By default, as many as this process. */
  readonly maxOpenFiles?: number;
}

/** Runs `backoffice` to its end in its own process, without a terminal. */
export async function backoffice(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const command = startBackoffice(args, options);
  command.process.stdin.end(options.stdin ?? '');
  return await command.finished;
}

export type RunningCommand = ReturnType<typeof startBackoffice>;

/** Starts `backoffice` in its own process. */
export function startBackoffice(
  args: readonly string[],
  { env, cwd, maxOpenFiles, program: file = executable }: CommandOptions = {},
) {
  const program = [file, ...args];
  // Node raises a limit that it may raise, so this is the hard one.
  const limited = ['sh', '-c', `ulimit -n ${maxOpenFiles} && exec "$0" "$@"`, ...program];
  const [first = '', ...words] = maxOpenFiles === undefined ? program : limited;
  const child = spawn(first, words, {
    env: { ...withoutEnvironment(), PORT: '0', BACKOFFICE_DRAIN_SECONDS: '0', ...env },
    cwd: cwd ?? tmpdir(),
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });

  return {
    process: child,
    finished,
    /** Returns what it has printed so far. */
    output: () => ({ ...printed }),
    /** Resolves with the match as soon as standard output or error contains it. Rejects if the command ends first. */
    shows: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', check);
        child.stderr.on('data', check);
        child.once('close', (code) => {
          reject(
            new Error(
              `The command ended with ${code} before it printed ${pattern}:\n${printed.stdout}${printed.stderr}`,
            ),
          );
        });
        check();
      }),
    /** Sends a signal and waits for the end. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return await finished;
    },
  };
}

export interface TerminalOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly answers?: readonly {
    /** The answer is typed as soon as the screen matches this. */
    readonly at: RegExp;
    readonly type: string;
    /** Runs before the answer is typed. */
    readonly after?: () => Promise<unknown>;
  }[];
  /** Returns the line for the shell that runs the command, such as one with a pipe. */
  readonly shell?: (command: string) => string;
}

export type TerminalRun = Awaited<ReturnType<typeof inTerminal>>;

/** Returns the words as a line for a shell. */
export const lineOf = (words: readonly string[]) =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

/**
 * Runs a line of a shell on a pseudo-terminal, which `script` (util-linux) creates.
 *
 * @param hasChannel - whether it gets messages of this process
 */
export function spawnOnTerminal(
  line: string,
  options: { env?: Record<string, string>; cwd?: string; hasChannel?: boolean } = {},
): ChildProcessByStdio<Writable, Readable, null> {
  const { env, cwd = tmpdir(), hasChannel = false } = options;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { ...withoutEnvironment(), TERM: 'xterm-256color', ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'ignore', ...(hasChannel ? (['ipc'] as const) : [])],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  child.stdout.setEncoding('utf8');
  return child;
}

/** Runs `backoffice` on a real pseudo-terminal. Returns its output with colours, and as text without control sequences. */
export async function inTerminal(args: readonly string[], options: TerminalOptions = {}) {
  const { columns = 80, env = {}, answers = [], shell = (line) => `exec ${line}` } = options;
  const line = shell(lineOf([executable, ...args]));
  const child = spawnOnTerminal(`stty cols ${columns} rows 24; ${line}`, { env });
  let raw = '';
  const left = [...answers];
  child.stdout.on('data', (text: string) => {
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
