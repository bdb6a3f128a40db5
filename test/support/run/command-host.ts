import { execFileSync } from 'node:child_process';
import { PassThrough, Writable } from 'node:stream';
import { endMark, type Finished } from './process.ts';

// A process that runs commands one after another, each as `bin/backoffice.js` runs it in a process of its own. It is told
// the next one by a message. It answers with how the command ended; on a terminal, by a mark after the command's output.

/** A command to run. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly env: Record<string, string | undefined>;
  readonly stdin: string;
  readonly cwd: string;
  /** The width of the terminal. */
  readonly columns?: number;
}

/** The environment of the process itself, because threads get a copy of it. */
const environment = process.env;
environment.NODE_ENV = 'production';
const built = new URL('../../../dist/bundle/main.js', import.meta.url).href;
const { main } = (await import(built)) as { main(argv: string[]): Promise<number> };

async function run({ args, env, stdin, cwd }: HostedCommand): Promise<Finished> {
  enter(env, cwd);
  const input = new PassThrough();
  input.end(stdin);
  const stdout = recorder();
  const stderr = recorder();
  for (const [name, value] of Object.entries({
    stdin: input,
    stdout: stdout.stream,
    stderr: stderr.stream,
  })) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  const code = await main([process.execPath, 'backoffice', ...args]);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

async function runOnTerminal({ args, env, cwd, columns = 80 }: HostedCommand): Promise<void> {
  enter(env, cwd);
  execFileSync('stty', ['cols', String(columns), 'rows', '24'], { stdio: 'inherit' });
  // Node learns the size from a signal, which may come later.
  (process.stdout as unknown as { _refreshSize(): void })._refreshSize();
  const code = await main([process.execPath, 'backoffice', ...args]);
  process.stdout.write(`${endMark}${code}\n`);
}

function enter(env: HostedCommand['env'], folder: string): void {
  for (const name of Object.keys(environment)) delete environment[name];
  for (const [name, value] of Object.entries({ NODE_ENV: 'production', ...env })) {
    if (value !== undefined) environment[name] = value;
  }
  // A command ends with its process, so it leaves its listeners behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  process.chdir(folder);
}

function recorder(): { stream: Writable; text(): string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString() };
}

process.on('message', async (command: HostedCommand) => {
  if (process.stdout.isTTY) await runOnTerminal(command);
  else process.send?.(await run(command));
});
process.on('disconnect', () => process.exit());
