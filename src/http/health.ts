import type { Response } from 'express';
import { Router } from 'express';
import { type Readiness, startingError } from './readiness.ts';
import { sendJson } from './responses/send.ts';

const stopping = 'The server is stopping.';

export interface HealthOptions {
  readonly readiness: Readiness;
  /** Reports whether the server is stopping. `/readyz` then answers 503, so that a load balancer removes it. */
  readonly isStopping: () => boolean;
}

/**
 * Serves `/healthz` (the process runs) and `/readyz` (the process can serve: the database answers, its schema is
 * current, and there is an admin).
 */
export function healthRouter({ readiness, isStopping }: HealthOptions): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => sendJson(res, 200, JSON.stringify({ status: 'ok' })));
  router.get('/readyz', async (_req, res) => {
    const problem = isStopping() ? stopping : await readiness.findProblem();
    // A stop may have begun during the check.
    if (isStopping()) sendNotReady(res, { error: stopping });
    else if (problem === undefined) sendJson(res, 200, JSON.stringify({ status: 'ready' }));
    else if (readiness.hasStarted) sendNotReady(res, { error: problem });
    else {
      const { message: error, retryAfter = 1 } = startingError();
      res.setHeader('Retry-After', retryAfter);
      sendNotReady(res, { error, reason: problem });
    }
  });
  return router;
}

function sendNotReady(res: Response, body: { readonly error: string; readonly reason?: string }): void {
  sendJson(res, 503, JSON.stringify({ status: 'not ready', ...body }));
}
