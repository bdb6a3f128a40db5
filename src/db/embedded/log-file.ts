import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './initialise.ts';

const LOG_LIMIT_BYTES = 5_000_000;

/** The file that the server logs to. */
export function logFile(cluster: Cluster): string {
  return join(cluster.home, 'server.log');
}

/** Puts a large log aside, over the one of last time. Called before each start, since Postgres only appends. */
export async function rotateLog(cluster: Cluster): Promise<void> {
  const file = logFile(cluster);
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  // Of two commands that rotate at once the second finds nothing left to move.
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`).catch(() => undefined);
}

/** The line that tells why the server went down. */
export async function lastLogLine(cluster: Cluster): Promise<string> {
  const tail = Buffer.alloc(4096);
  await using file = await open(logFile(cluster)).catch(() => undefined);
  if (!file) return 'it logged nothing';
  const { size } = await file.stat();
  const { bytesRead } = await file.read(tail, 0, tail.length, Math.max(0, size - tail.length));
  const lines = tail.toString('utf8', 0, bytesRead).trim().split('\n');
  // Hints and "database system is shut down" follow the line that gives the reason.
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
}
