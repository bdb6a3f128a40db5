import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from 'pino';
import { BackofficeError } from '../contract/errors.ts';
import type { Services } from '../services/call/context.ts';
import { healthRouter } from './health.ts';
import { logRequests } from './log.ts';
import { docsRouter } from './openapi/page.ts';
import { serveOperations } from './operations.ts';
import { sendError } from './responses.ts';
import { securityHeaders } from './security-headers.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface HttpAppOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly logger: Logger;
  readonly trustProxy: number;
  readonly version: string;
  readonly isStopping: () => boolean;
}

/** The HTTP door: every operation of the registry, its documentation, and the health of the process. */
export function createHttpApp({
  services,
  sessions,
  logger,
  trustProxy,
  version,
  isStopping,
}: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  // No answer is the same for long enough to be worth a hash of each.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', firstValues);

  app.use(logRequests(logger));
  app.use(securityHeaders);
  app.use('/api/admin', serveOperations(services, sessions));
  app.use(docsRouter(version));
  app.use(healthRouter({ db: services.databases.primary, isStopping }));
  app.use((_req, res) => {
    sendError(res, new BackofficeError({ code: 'not_found', text: 'There is nothing here. See /api/docs.' }));
  });
  app.use(answerUnexpected);
  return app;
}

/** The parameters of a query string; of one that is given twice, the first value. */
function firstValues(query: string | undefined): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(query ?? '')].reverse());
}

/** Whatever escaped every other handler. Express knows an error handler by its four parameters. */
const answerUnexpected: ErrorRequestHandler = (error, req, res, _next) => {
  req.log.error({ err: error }, 'request failed');
  sendError(res, new BackofficeError({ code: 'failed', text: 'An unexpected error occurred.' }));
};
