import { execFile } from 'node:child_process';
import { chmod, cp, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, findBinaries } from '../../src/db/embedded/programs.ts';

const source = new URL('./slow-flush.c', import.meta.url).pathname;

/**
 * Copies the embedded Postgres into a folder, so that each flush to the disk takes some milliseconds more. Needs Linux
 * and a C compiler.
 */
export async function slowFlushBinaries(folder: string, delayMs: number): Promise<Binaries> {
  const { directory, version } = await findBinaries();
  const copy = join(folder, 'native');
  await cp(directory, copy, { recursive: true, verbatimSymlinks: true });
  const library = join(copy, 'lib', 'slow-flush.so');
  await promisify(execFile)('cc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']).catch(
    (cause) => {
      throw new Error('The slow flush needs a C compiler. Install one that runs as cc.', { cause });
    },
  );
  const server = join(copy, 'bin', 'postgres');
  await rename(server, `${server}-binary`);
  await writeFile(
    server,
    `#!/bin/sh\nFLUSH_DELAY_US=${delayMs * 1_000} LD_PRELOAD='${library}' exec '${server}-binary' "$@"\n`,
  );
  await chmod(server, 0o755);
  return { directory: copy, version };
}
