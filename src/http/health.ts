import { Router } from 'express';
import type { Database } from '../db/connection/pool.ts';
import { isSchemaCurrent } from '../db/migrate/index.ts';
import { singleFlight } from '../shared/single-flight.ts';
import { atMost } from '../shared/wait.ts';
import { sendJson } from './send.ts';

/** How long the database may take to answer. */
const timeoutMs = 3_000;
/** Longer than any statement may take (8 s). A check that is older waits on a dead connection. */
const maxCheckMs = 10_000;

export interface HealthOptions {
  readonly db: Database;
  /** Reports whether the server is stopping. `/readyz` then answers 503, so that a load balancer removes it. */
  readonly isStopping: () => boolean;
}

/**
 * Serves `/healthz` (the process runs) and `/readyz` (the process can serve: the database answers and its schema is
 * current).
 */
export function healthRouter({ db, isStopping }: HealthOptions): Router {
  const router = Router();
  const findProblem = createDatabaseCheck(db);
  router.get('/healthz', (_req, res) => sendJson(res, 200, JSON.stringify({ status: 'ok' })));
  router.get('/readyz', async (_req, res) => {
    const problem = isStopping() ? 'The server is stopping.' : await findProblem();
    const body = problem === undefined ? { status: 'ready' } : { status: 'not ready', error: problem };
    sendJson(res, problem === undefined ? 200 : 503, JSON.stringify(body));
  });
  return router;
}

/** Returns a function that says what is wrong with the database. Concurrent calls share one query. */
function createDatabaseCheck(db: Database): () => Promise<string | undefined> {
  let startedAt = 0;
  const schemaCheck = singleFlight(() => {
    startedAt = performance.now();
    return isSchemaCurrent(db);
  });

  return async () => {
    if (performance.now() - startedAt > maxCheckMs) schemaCheck.forget();
    try {
      const isCurrent = await atMost(timeoutMs, schemaCheck.run());
      if (isCurrent === undefined) return 'The database does not answer.';
      return isCurrent ? undefined : 'The database schema is out of date. Run `backoffice migrate up`.';
    } catch {
      return 'The database is unavailable.';
    }
  };
}
