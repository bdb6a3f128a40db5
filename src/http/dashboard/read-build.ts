import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** The files of a build by their paths, such as `/assets/page.js.br`. */
export type BuildFiles = ReadonlyMap<string, Buffer>;

/** How many files are read before other work has its turn. */
const filesPerTurn = 20;

/**
 * Reads a build into memory, some three megabytes: while a newer build replaces the files, a service that runs on still has
 * all that its own page loads. There are none if there is no build.
 */
export async function readBuild(folder: string): Promise<BuildFiles> {
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  for (const [index, path] of filesIn(folder).entries()) {
    // Promises would take five times the processor time.
    const content = read(join(folder, path));
    if (content) files.set(path, content);
    if (index % filesPerTurn === 0) await setImmediate();
  }
  return files;
}

/** Returns the paths of the files in a folder, without hidden ones. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesIn(join(folder, entry.name)).map((path) => `/${entry.name}${path}`)
        : `/${entry.name}`,
    );
}

/** Returns the content of a file; undefined if a build has just removed it. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
