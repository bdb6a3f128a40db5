import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Linux's folder in memory. */
const memoryFolder = '/dev/shm';
/** What a run needs at most, with room to spare. */
const neededBytes = 6 * 1024 ** 3;

/**
 * Makes the run use a folder in memory for its temporary files, if there is one that is large enough and lets programs
 * run. Test databases are made of hundreds of small files, and creating those on disk takes a tenth of the run.
 */
export function useMemoryForTemporaryFiles(): void {
  if (process.env.TMPDIR === undefined && isUsable(memoryFolder)) process.env.TMPDIR = memoryFolder;
}

function isUsable(folder: string): boolean {
  let probe: string | undefined;
  try {
    accessSync(folder, constants.W_OK);
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
