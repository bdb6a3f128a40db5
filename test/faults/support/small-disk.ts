import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The superuser may mount a disk; others may as the superuser of a user namespace, unless the system forbids that. */
const inNamespace = ['unshare', ...(process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'])];

/**
 * Returns a command line that mounts a disk in memory over a folder and runs a command. Only the command and its children see
 * the disk, which goes with them.
 *
 * @param size - as tmpfs takes it, such as `1m`
 * @param command - for the shell; `"$@"` are `words`
 */
export function withSmallDisk(
  folder: string,
  size: string,
  command: string,
  words: readonly string[],
): readonly [file: string, ...words: string[]] {
  const script = `mount -t tmpfs -o size=${size},mode=755 tmpfs "$0" && ${command}`;
  const [file = '', ...options] = inNamespace;
  return [file, ...options, 'sh', '-c', script, folder, ...words];
}

/** Reports whether this user may mount such a disk. */
export async function mayMount(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const [file, ...words] = withSmallDisk('/mnt', '1m', 'true', []);
  const [code] = await once(spawn(file, words, { stdio: 'ignore' }), 'close').catch(() => [1]);
  return code === 0;
}
