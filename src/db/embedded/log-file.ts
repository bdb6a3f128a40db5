import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

const LOG_LIMIT_BYTES = 5_000_000;

/** The file that the server logs to. */
export function logFile(cluster: Cluster): string {
  return join(cluster.home, 'server.log');
}

/** Puts a large log aside, over the one of last time. Called before each start, since Postgres only appends. */
export async function rotateLog(cluster: Cluster): Promise<void> {
  const file = logFile(cluster);
  // Of two commands that rotate at once the second finds nothing left to move.
  if ((await logSize(cluster)) > LOG_LIMIT_BYTES) await rename(file, `${file}.1`).catch(() => undefined);
}

/** How much is logged by now, in bytes. */
export async function logSize(cluster: Cluster): Promise<number> {
  const { size } = await stat(logFile(cluster)).catch(() => ({ size: 0 }));
  return size;
}

/**
 * The line that tells why the server went down.
 *
 * @param start - where in the file its log begins: what is before it tells of other times
 */
export async function lastLogLine(cluster: Cluster, start: number): Promise<string> {
  const tail = Buffer.alloc(4096);
  await using file = await open(logFile(cluster)).catch(() => undefined);
  const size = (await file?.stat())?.size ?? 0;
  if (!file || size <= start) return 'it logged nothing';
  const { bytesRead } = await file.read(tail, 0, tail.length, Math.max(start, size - tail.length));
  const lines = tail.toString('utf8', 0, bytesRead).trim().split('\n');
  // Hints and "database system is shut down" follow the line that gives the reason.
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
}
