import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../../src/shared/errors.ts';

/** Linux's folder in memory. */
const memoryFolder = '/dev/shm';
/** What a run needs at most, with room to spare. */
const neededBytes = 6 * 1024 ** 3;

const prefix = 'backoffice-run-';

/**
 * Gives the run a folder of its own for temporary files, and removes it when the run ends, also on Ctrl-C. It is in memory
 * if there is a folder that is large enough and lets programs run: test databases are made of hundreds of small files, and
 * creating those on disk takes a tenth of the run.
 */
export function useOwnTemporaryFolder(): void {
  const parent = process.env.TMPDIR ?? (isUsable(memoryFolder) ? memoryFolder : tmpdir());
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Postgres runs as another user if this one is root.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Removes the folders of runs that were killed. A server of theirs stops when it finds that its files are gone. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It is another user's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function isUsable(folder: string): boolean {
  let probe: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < neededBytes) return false;
    probe = mkdtempSync(join(folder, 'backoffice-probe-'));
    const program = join(probe, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } catch {
    return false;
  } finally {
    if (probe !== undefined) rmSync(probe, { recursive: true, force: true });
  }
}
