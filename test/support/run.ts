import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { withRoles } from './postgres.ts';
import { createHost, hostProgram } from './run/host.ts';
import {
  type CommandOptions,
  endMark,
  type Finished,
  lineOf,
  spawnOnTerminal,
  type TerminalOptions,
  type TerminalRun,
  withoutEnvironment,
} from './run/process.ts';

// Each process ends with this one.
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

const end = new RegExp(`${endMark}(\\d+)\\n`);

const runOnTerminal = createHost<TerminalRun>(
  () => spawnOnTerminal(`exec ${lineOf([process.execPath, hostProgram])}`, { hasChannel: true }),
  ({ stdout }, onEnd) => {
    let printed = '';
    const reads = (text: string) => {
      printed += text;
      const raw = printed.replaceAll('\r\n', '\n');
      const mark = end.exec(raw);
      if (mark === null) return;
      const output = raw.slice(0, mark.index);
      onEnd({ code: Number(mark[1]), raw: output, text: stripVTControlCharacters(output) });
    };
    stdout?.on('data', reads);
    return () => stdout?.off('data', reads);
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

/** Does the same on a real pseudo-terminal. A command that asks needs a process of its own. */
export async function inTerminal(
  args: readonly string[],
  { columns = 80, env = {} }: Omit<TerminalOptions, 'answers'> = {},
): Promise<TerminalRun> {
  const whole = { ...withoutEnvironment(), TERM: 'xterm-256color', ...withRoles(env) };
  return await runOnTerminal({ args, env: whole, stdin: '', cwd: tmpdir(), columns });
}
