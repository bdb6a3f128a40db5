import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

/** The account of the operating system that Postgres runs as instead of root. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

/** The exit code of a program (null after a signal) and all its output. */
export interface ProgramResult {
  code: number | null;
  output: string;
}

interface LaunchOptions {
  user: OsUser | undefined;
  stdio: StdioOptions;
  environment?: Record<string, string>;
}

/**
 * Starts a program as `user`, or as the current user if that is undefined.
 *
 * It runs in its own session, so that the terminal's Ctrl-C does not reach it, in a working directory that every user
 * can enter, and without the `PG…` and locale variables of this process.
 */
export function launchProgram(program: string, args: string[], options: LaunchOptions): ChildProcess {
  const { user, stdio, environment } = options;
  return spawn(program, args, {
    stdio,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', ...environment },
    detached: true,
    ...(user && { uid: user.uid, gid: user.gid }),
  });
}

/** Runs a program to its end. Rejects only if it cannot be started (`ENOENT`, `EACCES`). */
export function runProgram(program: string, args: string[], user?: OsUser): Promise<ProgramResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const child = launchProgram(program, args, { user, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.on('error', reject);
  child.on('close', (code) => resolve({ code, output: output.trim() }));
  return promise;
}
