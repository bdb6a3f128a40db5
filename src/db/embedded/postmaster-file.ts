import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** `starting`, `ready`, `stopping`; empty while the file is being written. */
  status: string;
}

/** Reads `postmaster.pid` of a cluster's data folder; undefined where no server claims it. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!pid || !port) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? '' };
}

/**
 * Says whether the process `pid` is the server of this data folder. A number alone proves nothing: after
 * a reboot, or in a container that starts again, it soon belongs to some other program.
 */
export async function isPostmaster(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const started = await commandLine(pid);
  // Where the system tells nothing, believing the file is the safe side. A zombie's line is empty.
  return started === undefined || started.includes(data);
}

/**
 * Removes a `postmaster.pid` whose number now belongs to another program, which Postgres itself would take
 * for a running server. It leaves all other stale files to Postgres.
 */
export async function removeStalePostmasterFile(data: string): Promise<void> {
  const stale = await readPostmaster(data);
  if (!stale || !isAlive(stale.pid) || (await isPostmaster(stale.pid, data))) return;
  const file = join(data, 'postmaster.pid');
  const aside = `${file}.stale-${crypto.randomUUID()}`;
  await rename(file, aside);
  // Another command may have started the server between the look and the rename: then it goes back.
  const moved = Number((await readFile(aside, 'utf8')).split('\n')[0]);
  if (moved !== stale.pid) await link(aside, file);
  await rm(aside);
}

/** The port of the last start of this cluster, or undefined. Postgres keeps its arguments over a stop. */
export async function readLastPort(data: string): Promise<number | undefined> {
  const started = await readFile(join(data, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"port=(\d+)"/.exec(started)?.[1];
  return port ? Number(port) : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return (await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).output;
}
