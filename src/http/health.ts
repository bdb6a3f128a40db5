import { setTimeout as delay } from 'node:timers/promises';
import { Router } from 'express';
import type { Database } from '../db/connection/pool.ts';
import { isSchemaCurrent } from '../db/migrate/index.ts';
import { sendJson } from './responses.ts';

/** Milliseconds that the database has to answer. */
const patience = 3_000;
/** Milliseconds after which a statement has ended (it may take 8 seconds), or its connection is dead. */
const longestQuestion = 10_000;

export interface HealthOptions {
  readonly db: Database;
  /** Whether the server is stopping: it then asks to be taken out of rotation. */
  readonly isStopping: () => boolean;
}

/** `/healthz`: the process answers. `/readyz`: it can serve, its database reachable and its schema current. */
export function healthRouter({ db, isStopping }: HealthOptions): Router {
  const router = Router();
  const findProblem = problemsOf(db);
  router.get('/healthz', (_req, res) => sendJson(res, 200, JSON.stringify({ status: 'ok' })));
  router.get('/readyz', async (_req, res) => {
    const problem = isStopping() ? 'The server is stopping.' : await findProblem();
    const body = problem === undefined ? { status: 'ready' } : { status: 'not ready', error: problem };
    sendJson(res, problem === undefined ? 200 : 503, JSON.stringify(body));
  });
  return router;
}

/**
 * Finds what is wrong with the database. However many want to know, it is asked one question at a time, and anew as soon
 * as that can have no answer any more.
 */
function problemsOf(db: Database): () => Promise<string | undefined> {
  let asked: { readonly isCurrent: Promise<boolean>; readonly at: number } | undefined;

  function ask() {
    const question = { isCurrent: isSchemaCurrent(db), at: performance.now() };
    const forget = () => {
      if (asked === question) asked = undefined;
    };
    question.isCurrent.then(forget, forget);
    return question;
  }

  return async () => {
    if (asked === undefined || performance.now() - asked.at > longestQuestion) asked = ask();
    try {
      const isCurrent = await Promise.race([asked.isCurrent, delay(patience, undefined, { ref: false })]);
      if (isCurrent === undefined) return 'The database does not answer.';
      return isCurrent ? undefined : 'The database schema is not current: run `backoffice migrate up`.';
    } catch {
      return 'The database is unavailable.';
    }
  };
}
