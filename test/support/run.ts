import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { withRoles } from './postgres.ts';
import { createHost, hostProgram } from './run/host.ts';
import { type CommandOptions, type Finished, withoutEnvironment } from './run/process.ts';

/** The process ends with this one. */
const run = createHost<Finished>(
  () => {
    const started = fork(hostProgram, [], { env: withoutEnvironment() as NodeJS.ProcessEnv, execArgv: [] });
    started.unref();
    started.channel?.unref();
    return started;
  },
  (host, onEnd) => {
    host.once('message', onEnd);
    return () => host.off('message', onEnd);
  },
);

/**
 * Runs `backoffice` to its end, as the function of this name in `run/process.ts` does, but one command after another in
 * the same process. Tests of how a process starts, waits or ends need their own.
 */
export async function backoffice(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const { stdin = '', cwd = tmpdir() } = options;
  const env = { ...withoutEnvironment(), PORT: '0', ...withRoles(options.env) };
  return await run({ args, env, stdin, cwd });
}
