import { parseIntoClientConfig } from 'pg-connection-string';
import {
  type CommonQueryMethods,
  createPool,
  type DatabasePool,
  type Interceptor,
  type QueryResultRow,
  SchemaValidationError,
} from 'slonik';
import { z } from 'zod';
import { withVerifiedMode } from '../../shared/database-tls.ts';
import { currentTracer } from '../../shared/tracing.ts';
import { preparedStatements } from './prepared-statements.ts';
import { traceStatements } from './trace-statements.ts';

/** Slonik's logger, which logs nothing here, throws each error of standard output while it is set up. */
const { ROARR: slonikLogger } = globalThis as { ROARR?: { teardown?: () => void } };
slonikLogger?.teardown?.();

/** What queries run on: a pool, or a transaction that a service opened. */
export type Database = CommonQueryMethods;

/** Runs work that consists of one statement. */
export type RunStatement = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/** A pool of connections, which also lends one of them. */
export type Pool = Database &
  Pick<DatabasePool, 'connect'> & {
    /** How long a statement may run. The database cancels it then. */
    readonly statementTimeoutMs: number;
    /** Runs a single statement, which commits by itself. */
    readonly runStatement: RunStatement;
    /** Called after each commit that has recorded changes: they are due for publication. */
    readonly onRecorded?: (() => void) | undefined;
  };

/** The maximum number of connections of a pool. */
export const maxPoolConnections = 24;

/** How long a pool waits for the database. */
export interface DatabaseTimeouts {
  readonly connectionMs: number;
  readonly statementMs: number;
  /** How long a statement waits for a lock; 0 for as long as it may run. */
  readonly lockMs: number;
}

export const defaultDatabaseTimeouts: DatabaseTimeouts = {
  connectionMs: 3_000,
  // Less than the 10 s of a request, so that a statement ends before the request that waits for it.
  statementMs: 8_000,
  // A caller learns within two seconds that a migration holds the table. Longer than the second after which Postgres
  // looks for a deadlock, and than a change of 10,000 rows takes.
  lockMs: 1_800,
};

/** A list waits for its reader inside a transaction, so this limits how slow a reader may be. */
export const idleInTransactionTimeoutMs = 30_000;

/** The class of the schema that `sql.unsafe` gives a statement, which means that its rows are not validated. */
const unvalidated = z.unknown().constructor;

/** Checks each row against the schema of its `sql.type`. Slonik itself ignores that schema. */
const resultParser: Interceptor = {
  name: 'result-parser',
  transformRow({ resultParser: schema }, query, row, _fields): QueryResultRow {
    if (!(schema instanceof z.ZodType) || schema.constructor === unvalidated) return row;
    const result = schema.safeParse(row);
    if (!result.success) throw new SchemaValidationError(query, row, result.error.issues);
    return result.data as QueryResultRow;
  },
};

/**
 * Opens a pool of connections. Rejects if the database cannot be reached, because slonik queries it for the ids of the
 * types that it parses.
 *
 * @param databaseUrl - a Postgres connection URI
 * @param options.pooler - whether the URL leads to a pooler that shares connections between transactions. It may know
 *   no prepared statements, and refuses settings at the start of a connection: its own configuration sets the timeouts.
 */
export async function openPool(
  databaseUrl: string,
  maxPoolSize = maxPoolConnections,
  timeouts = defaultDatabaseTimeouts,
  { pooler = false } = {},
): Promise<DatabasePool> {
  const { ssl } = parseIntoClientConfig(databaseUrl);
  const url = withVerifiedMode(databaseUrl, 'require');
  return await createPool(pooler ? url : withLockTimeout(url, timeouts.lockMs), {
    // Slonik reads the files of certificates that a URI names, and then ignores them.
    ...(typeof ssl === 'object' && { ssl }),
    maxPoolSize,
    statementTimeout: pooler ? 'DISABLE_TIMEOUT' : timeouts.statementMs,
    connectionTimeout: timeouts.connectionMs,
    idleInTransactionSessionTimeout: pooler ? 'DISABLE_TIMEOUT' : idleInTransactionTimeoutMs,
    idleTimeout: 60_000,
    captureStackTrace: false,
    // No statement leaves state on its connection (only `set local` is used), so nothing has to be discarded. The
    // default, `DISCARD ALL`, costs a round trip per query and drops the cached plans.
    resetConnection: async () => {},
    interceptors: [
      ...(currentTracer() === undefined ? [] : [traceStatements()]),
      ...(pooler ? [] : [preparedStatements()]),
      resultParser,
    ],
    // Counts and ids are safe integers. Postgres formats timestamps, and numerics stay decimal strings.
    typeParsers: [{ name: 'int8', parse: Number }],
  });
}

/** Slonik has no option for this timeout. */
function withLockTimeout(databaseUrl: string, lockMs: number): string {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${given} -c lock_timeout=${lockMs}`.trim());
  return url.href;
}
