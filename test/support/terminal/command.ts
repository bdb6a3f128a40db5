import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The command as it is built. */
export const executable = fileURLToPath(new URL('../../../bin/backoffice.js', import.meta.url));

/** The environment of this process without whatever might configure the command. */
export function withoutEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, TMPDIR: tmpdir() };
}

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
}

/** Runs `backoffice` to its end, as a process of its own and without a terminal. */
export async function backoffice(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const command = startBackoffice(args, options);
  command.process.stdin?.end(options.stdin ?? '');
  return await command.finished;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  /** What it has printed so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves with the match as soon as standard output or error shows it; rejects when the command ends before. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Starts `backoffice`, as a process of its own. */
export function startBackoffice(args: readonly string[], { env, cwd }: CommandOptions = {}): RunningCommand {
  const child = spawn(process.execPath, [executable, ...args], {
    env: { ...withoutEnvironment(), PORT: '0', ...env },
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
    output: () => ({ ...printed }),
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        child.once('close', (code) => {
          reject(
            new Error(
              `It ended with ${code} before it showed ${pattern}:\n${printed.stdout}${printed.stderr}`,
            ),
          );
        });
        look();
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return await finished;
    },
  };
}
