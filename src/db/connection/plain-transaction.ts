import pg from 'pg';
import { type QuerySqlToken, SchemaValidationError } from 'slonik';
import { z } from 'zod';
import { BackofficeError } from '../../contract/errors.ts';
import { currentTracer, inSpan } from '../../shared/tracing.ts';
import type { RunLimited } from '../../shared/waiting/semaphore.ts';
import type { PlainPool } from './plain-pool.ts';
import type { Database, RunStatement } from './pool.ts';
import { statementNames } from './prepared-statements.ts';
import { statementSpan } from './trace-statements.ts';

type Row = Record<string, unknown>;

/**
 * Thrown by work that needs more than single statements, or if no connection is free. The transaction is rolled back, and
 * has changed nothing.
 */
export class NeedsPoolError extends Error {
  override readonly message = 'This work needs a transaction of the pool.';
}

/**
 * Returns what runs single statements on plain `pg`, each a transaction of its own, at half the cost of slonik. Call it
 * once per pool: two would give the same names to different prepared statements.
 *
 * @param otherwise - runs them while all connections are busy
 * @param runLimited - limits how many run at once, on whatever connections
 */
export function plainStatements(
  pool: PlainPool,
  otherwise: RunStatement,
  runLimited: RunLimited,
): RunStatement {
  const nameOf = statementNames('single');
  return (work) => runLimited(() => runOne(work));

  async function runOne<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (pool.totalCount - pool.idleCount >= pool.options.max) return await otherwise(work);
    return await pool.share(async () => {
      const client = await pool.connect();
      let isBroken = false;
      try {
        return await work(statementsOf(client, nameOf));
      } catch (error) {
        isBroken = !(error instanceof pg.DatabaseError || error instanceof BackofficeError);
        throw error;
      } finally {
        client.release(isBroken);
      }
    });
  }
}

/** The types that slonik parses. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
};

/**
 * Returns the methods of a database that run one statement, on a plain connection. The others throw a `NeedsPoolError`.
 *
 * @param nameOf - names the statements to prepare; by default none
 */
export function statementsOf(
  client: pg.ClientBase,
  nameOf: (text: string) => string | undefined = () => undefined,
  ended?: AbortSignal,
): Database {
  async function select(query: QuerySqlToken) {
    const run = () =>
      client.query<Row>({
        name: nameOf(query.sql),
        text: query.sql.replaceAll('$slonik_', '$'),
        values: [...query.values],
        types,
      });
    const { rows, rowCount } = await (currentTracer() === undefined
      ? run()
      : inSpan(statementSpan(query.sql), run));
    return { rows: rows.map((row) => parseRow(query, row)), rowCount: rowCount ?? 0 };
  }
  async function maybeOne(query: QuerySqlToken): Promise<Row | null> {
    const { rows } = await select(query);
    if (rows.length > 1) throw new Error('The statement returned more than one row.');
    return rows[0] ?? null;
  }
  async function one(query: QuerySqlToken): Promise<Row> {
    const row = await maybeOne(query);
    if (row === null) throw new Error('The statement returned no row.');
    return row;
  }
  const first = (row: Row | null) => (row === null ? null : Object.values(row)[0]);
  const methods: Readonly<Record<string, (query: QuerySqlToken) => Promise<unknown>>> = {
    query: select,
    any: async (query) => (await select(query)).rows,
    one,
    oneFirst: async (query) => first(await one(query)),
    maybeOne,
    maybeOneFirst: async (query) => first(await maybeOne(query)),
    exists: async (query) => first(await one({ ...query, sql: `select exists (${query.sql})` })),
  };
  return new Proxy({} as Database, {
    get(_target, method: string) {
      const run = methods[method];
      if (run === undefined) throw new NeedsPoolError();
      ended?.throwIfAborted();
      return run;
    },
  });
}

/** Checks a row against the schema of its `sql.type`, as the pool does. */
function parseRow(query: QuerySqlToken, row: Row): Row {
  if (!(query.parser instanceof z.ZodType)) return row;
  const result = query.parser.safeParse(row);
  if (!result.success) throw new SchemaValidationError(query, row as never, result.error.issues);
  return result.data as Row;
}
