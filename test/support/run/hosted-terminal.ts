import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { withRoles } from '../postgres.ts';
import type { HostedCommand } from './command-host.ts';
import { endMark, type TerminalOptions, type TerminalRun, withoutEnvironment } from './process.ts';

const script = fileURLToPath(new URL('./command-host.ts', import.meta.url));
const terminal = { ...withoutEnvironment(), TERM: 'xterm-256color' };

const end = new RegExp(`${endMark}(\\d+)\\n`);

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `backoffice` on a real pseudo-terminal, as the function of this name in `process.ts` does, but one command after
 * another in the same process. A command that asks needs its own.
 */
export async function inTerminal(
  args: readonly string[],
  { columns = 80, env = {} }: Omit<TerminalOptions, 'answers'> = {},
): Promise<TerminalRun> {
  const command = { args, env: { ...terminal, ...withRoles(env) }, stdin: '', cwd: tmpdir(), columns };
  const finished = last.then(() => runOnHost(command));
  last = finished.catch(() => undefined);
  return await finished;
}

function runOnHost(command: HostedCommand): Promise<TerminalRun> {
  host ??= startHost();
  const { stdout } = host;
  const process = host;
  let printed = '';
  return new Promise((resolve, reject) => {
    const reads = (text: string) => {
      printed += text;
      const raw = printed.replaceAll('\r\n', '\n');
      const mark = end.exec(raw);
      if (mark === null) return;
      stdout?.off('data', reads);
      process.off('exit', ends);
      const output = raw.slice(0, mark.index);
      resolve({ code: Number(mark[1]), raw: output, text: stripVTControlCharacters(output) });
    };
    const ends = (code: number | null) => {
      reject(new Error(`The process ended with ${code} during \`backoffice ${command.args.join(' ')}\`.`));
    };
    process.once('exit', ends);
    stdout?.on('data', reads);
    process.send(command);
  });
}

/** Starts the process on a terminal. It ends with this one. */
function startHost(): ChildProcess {
  const program = `exec '${process.execPath}' '${script}'`;
  const started = spawn('script', ['--quiet', '--return', '--command', program, '/dev/null'], {
    env: terminal,
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  started.stdout?.setEncoding('utf8');
  started.once('exit', () => {
    host = undefined;
  });
  return started;
}
