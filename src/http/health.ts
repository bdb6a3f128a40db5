import type { Response } from 'express';
import { Router } from 'express';
import { programVersion } from '../version.ts';
import { type Readiness, retryAfterSeconds, startingError } from './readiness.ts';
import { sendJson } from './responses/send.ts';

const stopping = 'The server is stopping.';

export interface HealthOptions {
  readonly readiness: Readiness;
  /** Reports whether the server is stopping. `/readyz` then answers 503, so that a load balancer removes it. */
  readonly isStopping: () => boolean;
}

/**
 * Serves `/healthz` (the process runs, and which program it is) and `/readyz` (the process can serve: the database answers, its schema is
 * current, and there is an admin).
 */
export function healthRouter({ readiness, isStopping }: HealthOptions): Router {
  const router = Router();
  const healthy = JSON.stringify({ status: 'ok', ...programVersion() });
  router.get('/healthz', (_req, res) => sendJson(res, 200, healthy));
  router.get('/readyz', async (_req, res) => {
    const problem = isStopping() ? stopping : await readiness.findProblem();
    // A stop may have begun during the check.
    if (isStopping()) sendNotReady(res, { error: stopping }, retryAfterSeconds);
    else if (problem === undefined) sendJson(res, 200, JSON.stringify({ status: 'ready' }));
    else if (readiness.hasStarted) sendNotReady(res, { error: problem });
    else sendNotReady(res, { error: startingError().message, reason: problem }, retryAfterSeconds);
  });
  return router;
}

/** Answers 503. With the time after which to ask again, it is logged as expected, not as a failure. */
function sendNotReady(
  res: Response,
  body: { readonly error: string; readonly reason?: string },
  retryAfter?: number,
): void {
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  sendJson(res, 503, JSON.stringify({ status: 'not ready', ...body }));
}
