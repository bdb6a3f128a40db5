import compression from 'compression';
import express, { Router } from 'express';
// The package's main module would load the whole user interface into this process.
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { errorsPath } from '../problem.ts';
import { negotiateCoding } from '../responses/compression.ts';
import { sendText } from '../responses/send.ts';
import { errorsPage } from './errors-page.ts';
import { resolvePlugin } from './resolve-plugin.ts';
import { samplesPlugin, samplesStyle } from './samples-plugin.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Backoffice API</title>
    <link rel="icon" href="/api/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="/api/docs/samples.css">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const script = `${resolvePlugin}
${samplesPlugin}
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  // The validator would send the document's address to swagger.io.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  plugins: [resolvePlugin, samplesPlugin],
});
`;

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
  let document: Promise<string> | undefined;
  router.get('/api/openapi.json', async (req, res) => {
    document ??= writeDocument(version);
    sendText(res, await document, { coding: negotiateCoding(req, res) });
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
  router.use('/api/docs', compression(), express.static(getAbsoluteFSPath(), { index: false, maxAge: '1h' }));
  return router;
}

/** Writes the document. It takes a fifth of the time of a start, so that is left to the first request for it. */
async function writeDocument(version: string): Promise<string> {
  const { createOpenApiDocument } = await import('./document.ts');
  return JSON.stringify(createOpenApiDocument(version));
}
