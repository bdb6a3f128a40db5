import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { withRoles } from '../postgres.ts';
import { createHost, hostProgram } from './host.ts';
import {
  endMark,
  lineOf,
  spawnOnTerminal,
  type TerminalOptions,
  type TerminalRun,
  withoutEnvironment,
} from './process.ts';

const end = new RegExp(`${endMark}(\\d+)\\n`);

/** The process ends with this one. */
const run = createHost<TerminalRun>(
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
 * Runs `backoffice` on a real pseudo-terminal, as the function of this name in `process.ts` does, but one command after
 * another in the same process. A command that asks needs its own.
 */
export async function inTerminal(
  args: readonly string[],
  { columns = 80, env = {} }: Omit<TerminalOptions, 'answers'> = {},
): Promise<TerminalRun> {
  const whole = { ...withoutEnvironment(), TERM: 'xterm-256color', ...withRoles(env) };
  return await run({ args, env: whole, stdin: '', cwd: tmpdir(), columns });
}
