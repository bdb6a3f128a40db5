import { Router } from 'express';
import { isSchemaCurrent } from '../db/migrate.ts';
import type { Database } from '../db/pool.ts';
import { sendJson } from './responses.ts';

export interface HealthOptions {
  readonly db: Database;
  /** Whether the server is stopping: it then asks to be taken out of rotation. */
  readonly isStopping: () => boolean;
}

/** `/healthz`: the process answers. `/readyz`: it can serve, its database reachable and its schema current. */
export function healthRouter({ db, isStopping }: HealthOptions): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => sendJson(res, 200, JSON.stringify({ status: 'ok' })));
  router.get('/readyz', async (_req, res) => {
    const problem = isStopping() ? 'The server is stopping.' : await findProblem(db);
    const body = problem === undefined ? { status: 'ready' } : { status: 'not ready', error: problem };
    sendJson(res, problem === undefined ? 200 : 503, JSON.stringify(body));
  });
  return router;
}

async function findProblem(db: Database): Promise<string | undefined> {
  try {
    return (await isSchemaCurrent(db))
      ? undefined
      : 'The database schema is not current: run `backoffice migrate up`.';
  } catch {
    return 'The database is unavailable.';
  }
}
