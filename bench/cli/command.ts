import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Writes the peak of the process's memory to the fourth file when it ends. */
const peakMemory = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.getBuiltinModule('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`;

/** The words after `node` that run the command line. */
export const backoffice = (words: string) => [
  'bin/backoffice.js',
  ...words.split(' ').filter((word) => word !== ''),
];

export interface Run {
  readonly ms: number;
  readonly peakMb: number;
}

/**
 * Runs Node to its end, with its output in a pipe that is read and discarded.
 *
 * @param measuresMemory - adds 1 ms to the time
 */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  measuresMemory = false,
): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const start = performance.now();
  const child = spawn(process.execPath, [...(measuresMemory ? ['--import', peakMemory] : []), ...args], {
    cwd: root,
    env: { PATH, HOME, BACKOFFICE_CONFIG: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  child.stdout?.resume();
  const [peak, [code]] = await Promise.all([
    text(child.stdio[3] as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}.`);
  return { ms: performance.now() - start, peakMb: Number(peak) / 1024 };
}
