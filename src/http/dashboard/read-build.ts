import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RequestHandler } from 'express';

/** The files of a build by their paths, such as `/assets/page.js.br`. */
type BuildFiles = ReadonlyMap<string, Buffer>;

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

/** The compressed files that the build writes beside each text file, smallest first, and their endings. */
const encodings = ['br', 'gzip'] as const;
const endings = { br: '.br', gzip: '.gz', identity: '' } as const;

/**
 * Serves files of the build, compressed as the browser takes them. The names of those in `assets/` change with their
 * contents, so browsers keep them for a year. A file of another build is a 404 that nobody keeps: an instance of that build
 * may have it.
 */
export function builtFiles(build: () => Promise<BuildFiles>): RequestHandler {
  return async (req, res, next) => {
    const files = await build();
    const isAsset = req.path.startsWith('/assets/');
    if (!files.has(req.path)) {
      if (isAsset) res.setHeader('Cache-Control', 'no-store');
      return next();
    }
    // Browsers list gzip before Brotli, which is smaller.
    const encoding =
      encodings.find((each) => req.acceptsEncodings(each) && files.has(req.path + endings[each])) ??
      'identity';
    res.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.vary('Accept-Encoding');
    if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
    res.type(extname(req.path)).send(files.get(req.path + endings[encoding]));
  };
}
