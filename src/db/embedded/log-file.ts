import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { reasonIn } from './postgres-output.ts';

const maxLogBytes = 5_000_000;

/** Returns the path of the server's log. */
export function logFile(cluster: Cluster): string {
  return join(cluster.home, 'server.log');
}

/** Renames a large log, replacing the previous one. Called before each start, because Postgres only appends. */
export async function rotateLog(cluster: Cluster): Promise<void> {
  const file = logFile(cluster);
  // If two commands rotate at once, the second one finds nothing to rename.
  if ((await logSize(cluster)) > maxLogBytes) await rename(file, `${file}.1`).catch(() => undefined);
}

/** Returns the size of the log in bytes. */
export async function logSize(cluster: Cluster): Promise<number> {
  const { size } = await stat(logFile(cluster)).catch(() => ({ size: 0 }));
  return size;
}

/**
 * Returns why the server stopped.
 *
 * @param start - the size of the log before the server started: what is before it is about earlier starts
 */
export async function lastLogLine(cluster: Cluster, start: number): Promise<string> {
  const tail = Buffer.alloc(4096);
  await using file = await open(logFile(cluster)).catch(() => undefined);
  const size = (await file?.stat())?.size ?? 0;
  if (!file || size <= start) return 'it logged nothing';
  const { bytesRead } = await file.read(tail, 0, tail.length, Math.max(start, size - tail.length));
  return reasonIn(tail.toString('utf8', 0, bytesRead));
}
