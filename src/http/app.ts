import express, { type ErrorRequestHandler, type Express, Router } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { BackofficeError } from '../contract/errors.ts';
import { type ContactRouterOptions, contactRouter } from './contact/router.ts';
import { allowOrigins } from './cors.ts';
import { dashboardRouter } from './dashboard/router.ts';
import { logRequests, type RequestObserver } from './log.ts';
import { type McpRouterOptions, mcpRouter } from './mcp-router.ts';
import { docsRouter } from './openapi/page.ts';
import { operationRouter } from './operation-router.ts';
import { type HealthOptions, healthRouter } from './readiness.ts';
import { prefixOf, serveUnder } from './requests/base-path.ts';
import { checkRequestHead } from './requests/request-head.ts';
import { securityHeaders } from './responses/security-headers.ts';
import { sendError } from './responses/send.ts';

interface HttpAppOptions extends McpRouterOptions, HealthOptions, ContactRouterOptions {
  readonly config: Pick<Config, 'trustProxy' | 'basePath' | 'securityContact'>;
  readonly logger: Logger;
  readonly requestObserver?: RequestObserver | undefined;
}

/** Creates the Express app: the operations of the registry, their documentation, and the health checks. */
export function createHttpApp(options: HttpAppOptions): Express {
  const { trustProxy, basePath, securityContact } = options.config;
  const app = express();
  app.disable('x-powered-by');
  // Responses change too often for a hash of each one to pay off.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', parseQuery);

  app.use(logRequests(options.logger, options.requestObserver));
  app.use(serveUnder(basePath, trustProxy));
  app.use(securityHeaders);
  app.use(contactRouter(options));
  app.use('/api', allowOrigins(options.corsOrigins));
  app.use(checkRequestHead);
  const runOperations = operationRouter(options);
  app.use('/api/admin', runOperations);
  app.all('/api/mail/inbound', runOperations);
  app.use(mcpRouter(options));
  app.use(docsRouter(options.version));
  app.use(securityTxtRouter(securityContact));
  app.use(healthRouter(options));
  app.use(dashboardRouter(options.services, options.readiness));
  app.use((req, res) => {
    const text = `Page not found. See ${prefixOf(req)}/api/docs.`;
    sendError(res, new BackofficeError({ code: 'not_found', text }));
  });
  app.use(handleUnexpected);
  return app;
}

/** Parses a query string. A parameter that is given more than once has a list of its values. */
function parseQuery(query: string | undefined): Record<string, string | readonly string[]> {
  const byName = Map.groupBy(new URLSearchParams(query ?? ''), ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, [[, first] = ['', ''], ...others]]) => [
      name,
      others.length === 0 ? first : [first, ...others.map(([, value]) => value)],
    ]),
  );
}

/** Handles errors that no other handler caught. Express recognizes an error handler by its four parameters. */
const handleUnexpected: ErrorRequestHandler = (error, req, res, _next) => {
  req.log.error({ err: error }, 'request failed');
  sendError(res, new BackofficeError({ code: 'failed', text: 'An unexpected error occurred.' }));
};

/** How long the contact holds from the day on which it is read. RFC 9116 recommends less than a year. */
const validDays = 180;

/** Serves `/.well-known/security.txt` (RFC 9116), if there is a contact. */
function securityTxtRouter(contact: string | undefined): Router {
  const router = Router();
  if (contact === undefined) return router;
  router.get('/.well-known/security.txt', (_req, res) => {
    const expires = new Date();
    expires.setUTCHours(0, 0, 0, 0);
    expires.setUTCDate(expires.getUTCDate() + validDays);
    const text = `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`;
    res.type('text/plain').send(text);
  });
  return router;
}
