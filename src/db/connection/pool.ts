import {
  type CommonQueryMethods,
  createPool,
  type DatabasePool,
  type Interceptor,
  type QueryResultRow,
  SchemaValidationError,
} from 'slonik';
import { z } from 'zod';
import { preparedStatements } from './prepared-statements.ts';

/** What a query runs on: a pool, or the transaction that a service opened. */
export type Database = CommonQueryMethods;

/** A pool of connections, which also lends one of them. */
export type Pool = Database & Pick<DatabasePool, 'connect'>;

/** How many connections a pool holds at most. */
export const maxPoolConnections = 10;

/** Milliseconds. A statement ends before the request that waits for it (10 s) does. */
const statementTimeoutMs = 8_000;
const connectionTimeoutMs = 3_000;
/** A list waits inside its transaction for a slow reader, so this bounds how slow that may be. */
const idleInTransactionTimeoutMs = 30_000;

/** `sql.unsafe` asks for no validation: every such statement carries a schema of this kind. */
const unvalidated = z.unknown().constructor;

/** Checks each row against the schema of its `sql.type` (slonik does nothing with it by itself). */
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
 * Opens a pool of connections. Rejects when the database cannot be reached: slonik asks it for the ids of the types
 * that it parses.
 *
 * @param databaseUrl - a Postgres connection URI
 */
export async function openPool(databaseUrl: string, maxPoolSize = maxPoolConnections): Promise<DatabasePool> {
  return await createPool(databaseUrl, {
    maxPoolSize,
    statementTimeout: statementTimeoutMs,
    connectionTimeout: connectionTimeoutMs,
    idleInTransactionSessionTimeout: idleInTransactionTimeoutMs,
    idleTimeout: 60_000,
    captureStackTrace: false,
    // No statement leaves state behind on its connection (`set local` only), so none has to be discarded: the
    // default `DISCARD ALL` is a round trip per query and throws the cached plans away.
    resetConnection: async () => {},
    interceptors: [preparedStatements(), resultParser],
    // Counts and ids fit a safe integer. Timestamps are formatted by Postgres, numerics stay decimal strings.
    typeParsers: [{ name: 'int8', parse: Number }],
  });
}
