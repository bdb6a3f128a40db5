import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server under measurement, in its own process. */
export interface Child {
  readonly url: string;
  /** Returns the peak resident memory; undefined on systems other than Linux. */
  peakMemoryMb(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until it prints the URL that it listens on. Its further output is read and discarded,
 * so that logging costs what it costs in production.
 */
export async function startChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Child> {
  const child = spawn(program, args, {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    return {
      url,
      async peakMemoryMb() {
        const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
        const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
        return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
      },
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`${[program, ...args].join(' ')} exited before it printed a URL.`);
}
