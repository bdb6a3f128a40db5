import { BackofficeError, starting } from '../contract/errors.ts';
import type { Database } from '../db/connection/pool.ts';
import { isSchemaCurrent } from '../db/migrate/schema-current.ts';
import { hasNoAdmin } from '../db/tables/accounts/admins.ts';
import { singleFlight } from '../shared/single-flight.ts';
import { atMost } from '../shared/wait.ts';

/** How long the database may take to answer. */
const timeoutMs = 3_000;
/** Longer than any statement may take (8 s). A check that is older waits on a dead connection. */
const maxCheckMs = 10_000;
const retryAfterSeconds = 1;

/** Whether an instance can serve. */
export interface Readiness {
  /** Whether the database was once found ready, with a current schema and an admin. It stays so: a memo, not a query. */
  readonly hasStarted: boolean;
  /** Returns what is wrong with the database, in a sentence. Concurrent calls share one check. */
  findProblem(): Promise<string | undefined>;
}

/**
 * Returns the readiness of a service on a database.
 *
 * @param hasStarted - whether the database was found ready before
 */
export function readinessOf(db: Database, hasStarted = false): Readiness {
  let checkedAt = 0;
  const check = singleFlight(async () => {
    checkedAt = performance.now();
    if (!(await isSchemaCurrent(db)))
      return 'The database schema is out of date. Run `backoffice migrate up`.';
    // Accounts matter for the start only: without one, a right password would get 401.
    if (!hasStarted && (await hasNoAdmin(db))) {
      return 'There is no admin yet. Run `backoffice admins create`.';
    }
    hasStarted = true;
    return undefined;
  });
  return {
    get hasStarted() {
      return hasStarted;
    },
    async findProblem() {
      if (performance.now() - checkedAt > maxCheckMs) check.forget();
      try {
        const answer = await atMost(
          timeoutMs,
          check.run().then((problem) => ({ problem })),
        );
        return answer === undefined ? 'The database does not answer.' : answer.problem;
      } catch {
        return 'The database is unavailable.';
      }
    },
  };
}

/**
 * Rejects until the database has a current schema and an admin: a request would find no table, or no account.
 *
 * @throws BackofficeError `starting`
 */
export async function requireStarted(readiness: Readiness): Promise<void> {
  if (readiness.hasStarted || (await readiness.findProblem()) === undefined) return;
  throw startingError();
}

/** Returns the error of a call that comes too early. */
export function startingError(): BackofficeError {
  return new BackofficeError(starting, { retryAfter: retryAfterSeconds });
}
