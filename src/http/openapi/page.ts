import compression from 'compression';
import express, { Router } from 'express';
// The package's main module would load the whole user interface into this process.
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { prefixOf } from '../base-path.ts';
import { errorsPath } from '../problem.ts';
import { negotiateCoding } from '../responses/compression.ts';
import { sendText } from '../responses/send.ts';
import { errorsPage } from './errors-page.ts';
import { resolvePlugin } from './resolve-plugin.ts';
import { samplesPlugin, samplesStyle } from './samples-plugin.ts';

/** Its addresses are relative, for proxies that add a path. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Backoffice API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/samples.css">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const script = `${resolvePlugin}
${samplesPlugin}
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  // The validator would send the document's address to swagger.io.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  plugins: [resolvePlugin, samplesPlugin],
});
`;

/** The files of Swagger UI's package that the page loads. */
const packageFiles: ReadonlySet<string> = new Set([
  '/favicon-32x32.png',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
]);

/** Swagger UI uses inline styles, and icons from data URLs. */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves `/api/openapi.json`, and Swagger UI from its package at `/api/docs`. */
export function docsRouter(version: string): Router {
  const router = Router();
  const write = documentWriter(version);
  router.get('/api/openapi.json', async (req, res) => {
    await sendText(res, await write(prefixOf(req)), { coding: negotiateCoding(req, res) });
  });
  for (const [path, html] of [
    ['/api/docs', page],
    [errorsPath, errorsPage],
  ] as const) {
    router.get(path, (_req, res) => {
      res.setHeader('Content-Security-Policy', policy);
      res.type('html').send(html);
    });
  }
  router.get('/api/docs/start.js', (_req, res) => {
    res.type('text/javascript').send(script);
  });
  router.get('/api/docs/samples.css', (_req, res) => {
    res.type('css').send(samplesStyle);
  });
  const files = express.static(getAbsoluteFSPath(), { index: false, redirect: false, maxAge: '1h' });
  router.use('/api/docs', compression(), (req, res, next) =>
    packageFiles.has(req.path) ? files(req, res, next) : next(),
  );
  return router;
}

/**
 * Returns a function that writes the document for clients that see the service under a path. The document takes a fifth of
 * the time of a start, so it is created with the first request for it.
 */
function documentWriter(version: string): (prefix: string) => Promise<string> {
  let created: object | undefined;
  let written: { readonly prefix: string; readonly text: string } | undefined;
  return async (prefix) => {
    const { createOpenApiDocument, serversUnder } = await import('./document.ts');
    created ??= createOpenApiDocument(version);
    if (written?.prefix !== prefix) {
      written = { prefix, text: JSON.stringify({ ...created, servers: serversUnder(prefix) }) };
    }
    return written.text;
  };
}
