import { createRequire } from 'node:module';
import type { Client } from 'pg';
import { type QuerySqlToken, sql } from 'slonik';
import type { Database, Pool } from '../../../src/db/connection/database.ts';
import { unprepared } from '../../../src/db/connection/statements.ts';

/** A node of a query plan: the fields that the tests read. */
interface Plan {
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
  const sent = await lastStatement(pool, run);
  const plan = await pool.oneFirst(sql.unsafe`explain (analyze, format json) ${sent}`);
  const [{ Plan: root }] = typeof plan === 'string' ? JSON.parse(plan) : plan;
  return nodesOf(root);
}

/** Returns a node of a plan, and those below it. */
function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).filter((part) => !readsVersion(part)).flatMap(nodesOf)];
}

function readsVersion(plan: Plan): boolean {
  return plan['Parent Relationship'] === 'InitPlan' && namesVersions(plan);
}

function namesVersions(plan: Plan): boolean {
  return plan['Relation Name'] === 'table_versions' || (plan.Plans ?? []).some(namesVersions);
}

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): string;
};

/** What a statement costs under one kind of plan. */
export interface ReadCost {
  /** A plan for the values, or the one for all values that a prepared statement gets after five executions. */
  readonly plan: 'custom' | 'generic';
  /** How many pages it reads. */
  readonly pages: number;
  /** The tables that it reads from one end to the other. */
  readonly scanned: readonly string[];
}

interface Explained {
  readonly Plan: Plan & { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

/** Runs a function, and returns what the last statement that it sent costs under each plan that it may get. */
export async function readCosts(
  pool: Pool,
  client: Client,
  run: (db: Database) => Promise<unknown>,
): Promise<readonly ReadCost[]> {
  const query = await lastStatement(pool, run);
  const values = query.values.map((value) => literalOf(client, value)).join(', ');
  const plans = query.sql.includes(unprepared.sql) ? (['custom'] as const) : (['custom', 'generic'] as const);
  const costs: ReadCost[] = [];
  // Slonik has names of its own for the parameters.
  await client.query(`prepare measured as ${query.sql.replaceAll('$slonik_', '$')}`);
  for (const plan of plans) {
    await client.query(`set plan_cache_mode = force_${plan}_plan`);
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
      `explain (analyze, buffers, timing off, format json) execute measured ${values && `(${values})`}`,
    );
    for (const { 'QUERY PLAN': found } of rows) costs.push({ plan, ...costOf(found[0].Plan) });
  }
  await client.query('deallocate measured');
  return costs;
}

/** Runs a function, and returns the last statement that it sent. Its transactions are none, so they change no settings. */
async function lastStatement(pool: Pool, run: (db: Database) => Promise<unknown>): Promise<QuerySqlToken> {
  let sent: QuerySqlToken | undefined;
  const recording = (method: 'any' | 'one' | 'oneFirst') => async (query: QuerySqlToken) => {
    sent = query;
    return await pool[method](query);
  };
  const db: Database = {
    ...pool,
    any: recording('any'),
    one: recording('one'),
    oneFirst: recording('oneFirst'),
    transaction: async (work: (tx: Database) => Promise<unknown>) => await work(db),
  } as unknown as Database;
  await run(db);
  if (sent === undefined) throw new Error('No statement was sent.');
  return sent;
}

function literalOf(client: Client, value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : client.escapeLiteral(prepareValue(value));
}

function costOf(plan: Explained['Plan']): Omit<ReadCost, 'plan'> {
  const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan');
  return {
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    scanned: scans.map((node) => node['Relation Name'] ?? ''),
  };
}

/**
 * Runs a function that fills tables without their indexes, and creates these again after it. That takes a fraction of the
 * time of adding to them row by row. Indexes of keys stay.
 */
export async function withoutIndexes(client: Client, fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)
  `);
  await client.query(rows.map(({ name }) => `drop index ${name}`).join(';'));
  await fill();
  await client.query(`set maintenance_work_mem = '256MB'`);
  for (const { definition } of rows) await client.query(definition);
  await client.query('reset maintenance_work_mem');
}
