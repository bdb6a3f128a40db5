import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../shared/error-code.ts';
import { runProgram } from './run-program.ts';

/** What a running server writes to `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** `starting`, `ready`, `standby`, `stopping`; empty while the file is being written. */
  status: string;
}

/** Reads `postmaster.pid` of a cluster's data folder. Returns undefined if there is none. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!pid || !port) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? '' };
}

/**
 * Reports whether the process `pid` is the server of this data folder. The number alone proves nothing: after a reboot
 * or a restart of the container, it may belong to another program.
 */
export async function isPostmaster(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const started = await commandLine(pid);
  // If the system does not show the command line, trusting the file is safe. A zombie's command line is empty.
  return started === undefined || started.includes(data);
}

/**
 * Removes a `postmaster.pid` whose number now belongs to another program, because Postgres would take that program for
 * a running server. Postgres handles all other stale files.
 */
export async function removeStalePostmasterFile(data: string): Promise<void> {
  const stale = await readPostmaster(data);
  if (!stale || !isAlive(stale.pid) || (await isPostmaster(stale.pid, data))) return;
  const file = join(data, 'postmaster.pid');
  const aside = `${file}.stale-${crypto.randomUUID()}`;
  await rename(file, aside);
  // Put the file back if another command started the server between the check and the rename.
  const moved = Number((await readFile(aside, 'utf8')).split('\n')[0]);
  if (moved !== stale.pid) await link(aside, file);
  await rm(aside);
}

/** Returns the port of this cluster's last start, if any. Postgres keeps its arguments after it stops. */
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
    return errorCode(error) === 'EPERM';
  }
}

async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return (await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).output;
}
