import { type QuerySqlToken, sql } from 'slonik';
import type { Database, Pool } from '../../../src/db/connection/database.ts';

/** A node of a query plan: the fields that the tests read. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/**
 * Runs a function and explains the last statement that it sent. Returns the nodes of the plan, each followed by those
 * below it, without the part that reads the version of the tables.
 */
export async function explainSent(pool: Pool, run: (db: Database) => Promise<unknown>): Promise<Plan[]> {
  let sent: QuerySqlToken | undefined;
  const recording =
    (method: 'any' | 'one' | 'oneFirst') =>
    async (query: QuerySqlToken): Promise<unknown> => {
      sent = query;
      return await pool[method](query);
    };
  await run({
    ...pool,
    any: recording('any'),
    one: recording('one'),
    oneFirst: recording('oneFirst'),
  } as Database);
  if (sent === undefined) throw new Error('No statement was sent.');
  const plan: unknown = await pool.oneFirst(sql.unsafe`explain (analyze, format json) ${sent}`);
  const [{ Plan: root }] = typeof plan === 'string' ? JSON.parse(plan) : plan;
  return nodesOf(root);
}

/** Returns a node of a plan, and those below it. */
export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).filter((part) => !readsVersion(part)).flatMap(nodesOf)];
}

function readsVersion(plan: Plan): boolean {
  return plan['Parent Relationship'] === 'InitPlan' && namesVersions(plan);
}

function namesVersions(plan: Plan): boolean {
  return plan['Relation Name'] === 'table_versions' || (plan.Plans ?? []).some(namesVersions);
}
