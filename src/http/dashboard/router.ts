import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { dashboardPaths } from '../../contract/pages.ts';
import { problemType } from '../../contract/vocabulary.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { lazily } from '../../shared/waiting.ts';
import type { Readiness } from '../readiness.ts';
import { prefixOf } from '../requests/base-path.ts';
import { brandingReader, brandingRouter, withBranding } from './branding.ts';
import { builtFiles, readBuild } from './read-build.ts';

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

/**
 * Serves the web dashboard: one page for all paths of it, and its files. Comes after all other routes: a browser that asks
 * for an unknown path gets the page too, which says so.
 */
export function dashboardRouter(databases: Databases, readiness: Readiness): Router {
  const router = Router();
  const readBranding = brandingReader(databases);
  // Reads the files early, before another build replaces them, but does not delay the start of the service.
  void readiness.findProblem().then(build);
  async function sendPage(req: Request, res: Response, next: NextFunction): Promise<void> {
    const page = (await build()).get('/index.html')?.toString();
    if (page === undefined) return next();
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(under(prefixOf(req), withBranding(page, await readBranding())));
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
