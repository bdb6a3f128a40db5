import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import type { BuildFiles } from './read-build.ts';

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
