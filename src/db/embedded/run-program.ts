import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

/** An account of the operating system that Postgres runs as in place of root. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

/** What a program left behind: its exit code (null after a signal) and all its output. */
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
 * Starts a program as `user`, or as ourselves where it is undefined.
 *
 * It gets its own session, so that the terminal's Ctrl-C does not reach it, a working directory that
 * everybody can enter, and an environment without the caller's `PG…` and locale variables.
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

/** Runs a program to its end. Rejects only when it cannot be started (`ENOENT`, `EACCES`). */
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
