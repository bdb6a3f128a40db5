import { extname } from 'node:path';
import { promisify } from 'node:util';
import type { RequestHandler, Response } from 'express';

/** The compressed files that the build writes beside each text file, smallest first, and their endings. */
const encodings = ['br', 'gzip'] as const;
const endings = { br: '.br', gzip: '.gz', identity: '' } as const;

/**
 * Serves files of the build, compressed as the browser takes them. The names of those in `assets/` change with their
 * contents, so browsers keep them for a year. A file that a newer build has replaced while the service runs is a 404.
 */
export function builtFiles(folder: string): RequestHandler {
  return async (req, res, next) => {
    const isAsset = req.path.startsWith('/assets/');
    res.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.vary('Accept-Encoding');
    // Browsers list gzip before Brotli, which is smaller.
    const encoding = encodings.find((each) => req.acceptsEncodings(each)) ?? 'identity';
    try {
      if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
      await send(res.type(extname(req.path)), `${req.path}${endings[encoding]}`, folder);
    } catch (error) {
      if (res.headersSent || req.destroyed) return;
      for (const name of ['Cache-Control', 'Content-Encoding', 'Content-Type']) res.removeHeader(name);
      const { status } = error as { status?: number };
      next(status === 404 ? undefined : error);
    }
  };
}

/** Sends a file. Rejects if that fails, and not if the browser leaves. */
async function send(res: Response, path: string, root: string): Promise<void> {
  const sendFile = promisify<string, object>(res.sendFile.bind(res));
  await sendFile(path, { root, cacheControl: false, dotfiles: 'ignore' });
}
