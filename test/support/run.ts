import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { withRoles } from './postgres.ts';
import type { HostedCommand } from './run/command-host.ts';
import { type CommandOptions, type Finished, withoutEnvironment } from './run/process.ts';

const script = fileURLToPath(new URL('./run/command-host.ts', import.meta.url));

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `backoffice` to its end, as the function of this name in `run/process.ts` does, but one command after another in
 * the same process. Most of what a command costs is the start of its process. Tests of how a process starts, waits or ends
 * need their own.
 */
export async function backoffice(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const { stdin = '', cwd = tmpdir() } = options;
  const env = withRoles(options.env);
  const finished = last.then(() =>
    runOnHost({ args, env: { ...withoutEnvironment(), PORT: '0', ...env }, stdin, cwd }),
  );
  last = finished.catch(() => undefined);
  return await finished;
}

function runOnHost(command: HostedCommand): Promise<Finished> {
  host ??= startHost();
  const process = host;
  return new Promise((resolve, reject) => {
    const ends = (code: number | null) => {
      process.off('message', answers);
      reject(new Error(`The process ended with ${code} during \`backoffice ${command.args.join(' ')}\`.`));
    };
    const answers = (answer: unknown) => {
      process.off('exit', ends);
      resolve(answer as Finished);
    };
    process.once('exit', ends);
    process.once('message', answers);
    process.send(command);
  });
}

/** Starts the process. It ends with this one. */
function startHost(): ChildProcess {
  const started = fork(script, [], { env: withoutEnvironment() as NodeJS.ProcessEnv, execArgv: [] });
  started.unref();
  started.channel?.unref();
  started.once('exit', () => {
    host = undefined;
  });
  return started;
}
