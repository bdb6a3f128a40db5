import type { Response } from 'express';
import { Router } from 'express';
import { BackofficeError, starting } from '../contract/errors.ts';
import type { Database, Pool } from '../db/connection/database.ts';
import { isSilent } from '../db/connection/errors.ts';
import { isSchemaCurrent } from '../db/migrate/status.ts';
import { hasNoAdmin } from '../db/tables/accounts/admins.ts';
import { singleFlight, within } from '../shared/waiting.ts';
import { programVersion } from '../version.ts';
import { sendJson } from './responses/send.ts';

/** When a client should ask again during a start or a stop. */
export const retryAfterSeconds = 1;

/** Whether an instance can serve. */
export type Readiness = ReturnType<typeof readinessOf>;

const answerMs = 3_000;

/** Returns the readiness of a service. Its requests read their session on the pool. */
export function readinessOf(pool: Pool, hasStarted = false) {
  const silent = new Error('The database does not answer.');
  async function examine(db: Database): Promise<string | undefined> {
    if (!(await isSchemaCurrent(db)))
      return 'The database schema is out of date. Run `backoffice migrate up`.';
    // Accounts matter for the start only: without one, a right password would get 401.
    if (!hasStarted && (await hasNoAdmin(db)))
      return 'There is no admin yet. Run `backoffice admins create`.';
    hasStarted = true;
    return undefined;
  }
  const check = singleFlight(() => within(answerMs, pool.connect(examine), () => silent));
  return {
    /** Whether the database was once found ready, with a current schema and an admin. It stays so: a memo. */
    get hasStarted() {
      return hasStarted;
    },
    /** Returns what is wrong with the database, in a sentence. Concurrent calls share one check. */
    async findProblem(): Promise<string | undefined> {
      try {
        return await check.run();
      } catch (error) {
        return error === silent || isSilent(error) ? silent.message : 'The database is unavailable.';
      }
    },
  };
}

/** Rejects with `starting` until the database has a current schema and an admin. */
export async function requireStarted(readiness: Readiness): Promise<void> {
  if (readiness.hasStarted || (await readiness.findProblem()) === undefined) return;
  throw new BackofficeError(starting, { retryAfter: retryAfterSeconds });
}

const stopping = 'The server is stopping.';

export interface HealthOptions {
  readonly readiness: Readiness;
  /** Reports whether the server is stopping. `/readyz` then answers 503, so that a load balancer removes it. */
  readonly isStopping: () => boolean;
}

/** Serves `/healthz` (the process runs, and which program it is) and `/readyz` (the process can serve). */
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
    else sendNotReady(res, { error: starting.text, reason: problem }, retryAfterSeconds);
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
