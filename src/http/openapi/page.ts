import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
// The package's main module would load the whole user interface into this process.
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import { prefixOf } from '../requests/base-path.ts';
import { constantBody, type SendBody } from '../responses/compression.ts';
import { errorsPath, statusOf } from '../responses/problem.ts';

/** Its addresses are relative, for proxies that add a path. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Backoffice API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** A plugin for the browser. Swagger UI's own resolver takes a second or more for each operation. */
const resolvePlugin = `const resolvePlugin = () => {
  async function resolveSubtree(document, path) {
    const at = (keys) => keys.reduce((value, key) => value?.[key], document);
    const targetOf = (reference) =>
      at(reference.slice(2).split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')));

    function resolve(value, within) {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map((item) => resolve(item, within));
      const { $ref: reference, ...others } = value;
      const isOpen = typeof reference === 'string' && reference.startsWith('#/') && !within.includes(reference);
      if (isOpen) return resolve({ ...targetOf(reference), ...others }, [...within, reference]);
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, within)]));
    }

    return { errors: [], spec: resolve(at(path), []) };
  }

  return { fn: { resolveSubtree } };
};
`;

const script = `${resolvePlugin}
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  // The validator would send the document's address to swagger.io.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  plugins: [resolvePlugin],
});
`;

const packageFiles = ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js'];

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
    const send = await write(prefixOf(req));
    await send(req, res.type('json'));
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
  for (const name of packageFiles) router.get(`/api/docs/${name}`, keptFile(join(getAbsoluteFSPath(), name)));
  return router;
}

/** Serves a file that is read with the first request for it. */
function keptFile(path: string): RequestHandler {
  let send: SendBody | undefined;
  return async (req, res) => {
    send ??= constantBody(await readFile(path));
    res.setHeader('Cache-Control', 'public, max-age=3600');
    await send(req, res.type(extname(path)));
  };
}

/**
 * Returns a function that returns what sends the document to clients that see the service under a path. The document takes a
 * fifth of the time of a start, so it is created with the first request for it.
 */
function documentWriter(version: string): (prefix: string) => Promise<SendBody> {
  let created: object | undefined;
  let written: { readonly prefix: string; readonly send: SendBody } | undefined;
  return async (prefix) => {
    const { createOpenApiDocument, serversUnder } = await import('./document.ts');
    created ??= createOpenApiDocument(version);
    if (written?.prefix !== prefix) {
      const text = JSON.stringify({ ...created, servers: serversUnder(prefix) });
      written = { prefix, send: constantBody(Buffer.from(text)) };
    }
    return written.send;
  };
}

/** The page that the `type` of every problem document leads to. Its addresses are relative, for proxies that add a path. */
const errorsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Errors of the Backoffice API</title>
    <link rel="icon" href="favicon-32x32.png">
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1f2430; }
      h2 { margin: 2rem 0 0.25rem; font-size: 1.1rem; }
      h2 small { font-weight: normal; color: #55607a; }
      p { margin: 0; }
      :target { background: #fff3c4; }
    </style>
  </head>
  <body>
    <main>
      <h1>Errors</h1>
      <p>The <code>code</code> of a problem document is one of these. Its <code>detail</code> says what went wrong in
      this case. The <a href="../docs">API documentation</a> lists the errors of each operation.</p>
      ${Object.entries(errorCodes).map(section).join('\n      ')}
    </main>
  </body>
</html>
`;

function section([code, when]: [string, string]): string {
  const status = statusOf[code as ErrorCode];
  return `<h2 id="${code}"><code>${code}</code> <small>${status}</small></h2>
      <p>${when.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`;
}
