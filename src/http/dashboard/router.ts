import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { dashboardPaths } from '../../contract/pages.ts';
import { problemType } from '../../contract/vocabulary.ts';
import type { Services } from '../../services/context.ts';
import { lazily } from '../../shared/waiting.ts';
import type { Readiness } from '../readiness.ts';
import { prefixOf } from '../requests/base-path.ts';
import { brandingReader, brandingRouter, withBranding } from './branding.ts';

/** The page loads only its own files, and runs no text as a program. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The build of the web dashboard. Found from the sources and from the build: `dist/` has no package.json. */
const folder = join(dirname(findPackageJSON('..', import.meta.url) ?? ''), 'dist', 'web');
const build = lazily(() => readBuild(folder));

/** Serves the web dashboard. Comes last: a browser gets the page for an unknown path too, which says so. */
export function dashboardRouter(
  { databases, mail }: Pick<Services, 'databases' | 'mail'>,
  readiness: Readiness,
): Router {
  const router = Router();
  const readBranding = brandingReader(databases);
  // Reads the files early, before another build replaces them, but does not delay the start of the service.
  void readiness.findProblem().then(build);
  async function sendPage(req: Request, res: Response, next: NextFunction): Promise<void> {
    const page = (await build()).get('/index.html')?.toString();
    if (page === undefined) return next();
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('Cache-Control', 'no-cache');
    const branded = withBranding(page, await readBranding());
    // A page can say before a sign-in that no link for a new password will come.
    const said = branded.replace(
      'name="mail" content=""',
      `name="mail" content="${mail.isConfigured ? '' : 'none'}"`,
    );
    res.type('html').send(under(prefixOf(req), said));
  }
  router.get([...dashboardPaths], sendPage);
  router.use(brandingRouter(readBranding));
  router.get(['/assets/*file', '/color-scheme.js', '/start.js', '/favicon.svg'], builtFiles(build));
  router.get('/*path', async (req, res, next) => {
    if (isNavigation(req)) await sendPage(req, res.status(404), next);
    else next();
  });
  return router;
}

/** Reports whether a person has followed a link to a path that does not exist, outside of the API. */
function isNavigation(req: Request): boolean {
  return !/^\/(api|assets)\//.test(req.path) && req.accepts([problemType, 'json', 'html']) === 'html';
}

/** Returns the page with the addresses of its files under the path that a proxy serves it under. */
function under(prefix: string, page: string): string {
  return page
    .replace('name="base-path" content=""', `name="base-path" content="${prefix}"`)
    .replaceAll(/(src|href)="\.\//g, `$1="${prefix}/`);
}

/** The files of a build by their paths, such as `/assets/page.js.br`. */
type BuildFiles = ReadonlyMap<string, Buffer>;

/** How many files are read before other work has its turn. */
const filesPerTurn = 20;

/** Reads a build into memory: a service goes on while a newer build replaces the files. */
export async function readBuild(folder: string): Promise<BuildFiles> {
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const shown = paths.filter((path) => !/(^|\/)\./.test(path));
  for (const [index, path] of shown.entries()) {
    // Promises would take five times the processor time.
    const content = read(join(folder, path));
    if (content) files.set(`/${path}`, content);
    if (index % filesPerTurn === 0) await setImmediate();
  }
  return files;
}

/** Returns the content of a file; undefined for a folder, or if a build has just removed it. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The compressed files that the build writes beside each text file, smallest first, and their endings. */
const encodings = Object.entries({ br: '.br', gzip: '.gz' });

/**
 * Serves files of the build, compressed as the browser takes them. Those in `assets/` have their version in
 * the name. One of another build is a 404 that nobody keeps: an instance of that build may have it.
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
    const [encoding, ending = ''] =
      encodings.find(([name, end]) => req.acceptsEncodings(name) && files.has(req.path + end)) ?? [];
    res.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.vary('Accept-Encoding');
    if (encoding) res.setHeader('Content-Encoding', encoding);
    res.type(extname(req.path)).send(files.get(req.path + ending));
  };
}
