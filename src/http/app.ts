import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from 'pino';
import { BackofficeError } from '../contract/errors.ts';
import type { Services } from '../services/context.ts';
import { allowOrigins } from './cors.ts';
import { dashboardRouter } from './dashboard/router.ts';
import { logRequests, type RequestObserver } from './log.ts';
import { mcpRouter } from './mcp-router.ts';
import { docsRouter } from './openapi/page.ts';
import { operationRouter } from './operation-router.ts';
import type { Readiness } from './readiness.ts';
import { healthRouter } from './readiness.ts';
import { prefixOf, serveUnder } from './requests/base-path.ts';
import { checkRequestHead } from './requests/request-head.ts';
import { securityHeaders } from './responses/security-headers.ts';
import { sendError } from './responses/send.ts';
import { securityTxtRouter } from './security-txt.ts';
import type { Sessions } from './sessions/index.ts';

export interface HttpAppOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly logger: Logger;
  readonly requestObserver?: RequestObserver | undefined;
  /** The other origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  readonly requestTimeoutMs?: number | undefined;
  /** The operations that agents may run although they change data. */
  readonly mcpAllowed: ReadonlySet<string>;
  readonly trustProxy: number;
  readonly basePath: string;
  /** Where to report a vulnerability. */
  readonly securityContact?: string | undefined;
  readonly version: string;
  readonly readiness: Readiness;
  readonly isStopping: () => boolean;
}

/** Creates the Express app: the operations of the registry, their documentation, and the health checks. */
export function createHttpApp({
  services,
  sessions,
  logger,
  requestObserver,
  corsOrigins: origins,
  requestTimeoutMs,
  mcpAllowed: allowed,
  trustProxy,
  basePath,
  securityContact,
  version,
  readiness,
  isStopping,
}: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  // Responses change too often for a hash of each one to pay off.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', parseQuery);

  app.use(logRequests(logger, requestObserver));
  app.use(serveUnder(basePath, trustProxy));
  app.use(securityHeaders);
  const corsOrigins = new Set(origins);
  app.use('/api', allowOrigins(corsOrigins));
  app.use(checkRequestHead);
  app.use(
    '/api/admin',
    operationRouter({ services, sessions, readiness, corsOrigins, timeoutMs: requestTimeoutMs }),
  );
  app.use(
    mcpRouter({ services, sessions, readiness, corsOrigins, allowed, version, timeoutMs: requestTimeoutMs }),
  );
  app.use(docsRouter(version));
  app.use(securityTxtRouter(securityContact));
  app.use(healthRouter({ readiness, isStopping }));
  app.use(dashboardRouter(services.databases, readiness));
  app.use((req, res) => {
    const text = `Page not found. See ${prefixOf(req)}/api/docs.`;
    sendError(res, new BackofficeError({ code: 'not_found', text }));
  });
  app.use(handleUnexpected);
  return app;
}

/** Parses a query string. A parameter that is given twice has its first value. */
function parseQuery(query: string | undefined): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(query ?? '')].reverse());
}

/** Handles errors that no other handler caught. Express recognizes an error handler by its four parameters. */
const handleUnexpected: ErrorRequestHandler = (error, req, res, _next) => {
  req.log.error({ err: error }, 'request failed');
  sendError(res, new BackofficeError({ code: 'failed', text: 'An unexpected error occurred.' }));
};
