import { type DatabasePool, type QuerySqlToken, sql } from 'slonik';
import type { Database } from '../../../src/db/connection/pool.ts';

/** A node of a plan, as far as the tests read it. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/**
 * Runs something, and explains the very statement that it sent: the nodes of its plan, each with all that are below it
 * after it.
 */
export async function explainSent(
  pool: DatabasePool,
  run: (db: Database) => Promise<unknown>,
): Promise<Plan[]> {
  let sent: QuerySqlToken | undefined;
  const noting =
    (method: 'any' | 'one' | 'oneFirst') =>
    async (query: QuerySqlToken): Promise<unknown> => {
      sent = query;
      return await pool[method](query);
    };
  await run({ ...pool, any: noting('any'), one: noting('one'), oneFirst: noting('oneFirst') } as Database);
  if (sent === undefined) throw new Error('No statement was sent.');
  const plan: unknown = await pool.oneFirst(sql.unsafe`explain (analyze, format json) ${sent}`);
  const [{ Plan: root }] = typeof plan === 'string' ? JSON.parse(plan) : plan;
  return nodesOf(root);
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
