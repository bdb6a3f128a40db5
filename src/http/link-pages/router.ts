import { Router } from 'express';
import { linkPages } from './html.ts';
import { linkPageScript } from './script.ts';
import { linkPageStyle } from './style.ts';

/** The forms are sent by the script. Without it, a password must not become a part of an address. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Serves the pages that the links of mails lead to. */
export function linkPagesRouter(): Router {
  const router = Router();
  for (const [path, html] of Object.entries(linkPages)) {
    router.get(path, (_req, res) => {
      res.setHeader('Content-Security-Policy', policy);
      res.setHeader('Cache-Control', 'no-cache');
      res.type('html').send(html);
    });
  }
  router.get('/link-page.js', (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.type('text/javascript').send(linkPageScript);
  });
  router.get('/link-page.css', (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.type('css').send(linkPageStyle);
  });
  return router;
}
