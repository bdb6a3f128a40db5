import { type Response, Router } from 'express';
import { namesTag } from '../responses/conditional.ts';
import { shownBranding } from './branded-page.ts';
import type { CurrentBranding, ReadBranding } from './branding-reader.ts';

/** A picture is shown as an image only. One that is opened by itself runs nothing and loads nothing. */
const policyOfLogo = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Serves how the dashboard looks, which the page needs before anybody has signed in: the name, the logo and the colours. The
 * address of a file has its version, so browsers keep it.
 */
export function brandingRouter(read: ReadBranding): Router {
  const router = Router();
  router.get('/branding.json', async (_req, res) => {
    const branding = await read();
    res.setHeader('Cache-Control', 'no-cache');
    res.setHeader('ETag', `"${branding.version}"`);
    if (isFresh(res, branding)) res.status(304).end();
    else res.json(shownBranding(branding));
  });
  router.get('/branding.css', async (req, res) => {
    const branding = await read(String(req.query.v));
    keep(res, branding);
    if (isFresh(res, branding)) res.status(304).end();
    else res.type('css').send(branding.style);
  });
  router.get('/branding/logo', async (req, res, next) => {
    const branding = await read(String(req.query.v));
    if (branding.logo === null) return next();
    keep(res, branding);
    res.setHeader('Content-Security-Policy', policyOfLogo);
    if (isFresh(res, branding)) res.status(304).end();
    else res.type(branding.logo.type).send(Buffer.from(branding.logo.base64, 'base64'));
  });
  return router;
}

/** Lets browsers keep a file under the address with its version for a year. Under another, they ask each time. */
function keep(res: Response, { version }: CurrentBranding): void {
  const isVersioned = res.req.query.v === version;
  res.setHeader('Cache-Control', isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache');
  res.setHeader('ETag', `"${version}"`);
}

/** Reports whether the browser has this version already. */
function isFresh({ req }: Response, { version }: CurrentBranding): boolean {
  return namesTag(req.headers['if-none-match'], version);
}
