import {
  type CommonQueryMethods,
  createPool,
  type Interceptor,
  type QueryResultRow,
  SchemaValidationError,
} from 'slonik';
import { z } from 'zod';
import { inSpan } from '../../shared/tracing.ts';
import { lendConnections, type PoolLoad } from './connections.ts';
import { createPgDriver, type DriverOptions, defaultTimeouts } from './driver.ts';
import { liftTimeouts, spanOf } from './statements.ts';

/** Slonik's logger, which logs nothing here, throws each error of standard output while it is set up. */
const { ROARR: slonikLogger } = globalThis as { ROARR?: { teardown?: () => void } };
slonikLogger?.teardown?.();

type Statement = 'any' | 'anyFirst' | 'exists' | 'maybeOne' | 'maybeOneFirst' | 'one' | 'oneFirst' | 'query';

/** What queries run on: a pool, one of its connections, or a transaction that a service opened. */
export interface Database extends Pick<CommonQueryMethods, Statement> {
  /** Runs work in a transaction. In a transaction, runs it in a savepoint. What the work throws rolls it back. */
  transaction<T>(work: (tx: Database) => Promise<T>, retryLimit?: number): Promise<T>;
}

/** A pool of connections. It connects with the first query. */
export interface Pool extends Database {
  /** Runs work on one connection. */
  connect<T>(work: (connection: Database) => Promise<T>): Promise<T>;
  load(): PoolLoad;
  close(): Promise<void>;
  /** Called after each commit that has recorded changes: they are due for publication. */
  readonly onRecorded: () => void;
}

export interface DatabaseOptions extends DriverOptions {
  readonly maxConnections?: number | undefined;
  readonly onRecorded?: (() => void) | undefined;
}

/** The maximum number of connections of a pool. */
export const maxPoolConnections = 25;

/** Opens a pool. It needs no server yet, and finds one again that was gone. */
export function openDatabase(options: DatabaseOptions): Pool {
  const { databaseUrl, maxConnections = maxPoolConnections, timeouts = defaultTimeouts } = options;
  const opening = createPool(databaseUrl, {
    driverFactory: createPgDriver(options),
    maxPoolSize: maxConnections,
    // Its next caller tries again.
    connectionRetryLimit: 1,
    // How long a server may take to say goodbye.
    gracefulTerminationTimeout: 1_000,
    interceptors: [checkRows],
    typeParsers: [],
  });
  // Each caller gets the error of its statement. Without a listener, it would also end the process.
  opening.then((pool) => pool.on('error', () => {}));
  const connections = lendConnections(opening, maxConnections, timeouts.statementMs);
  const db = databaseBy(connections.lend);
  return {
    ...db,
    transaction: (work, retryLimit) => inSpan(spanOf('transaction'), () => db.transaction(work, retryLimit)),
    connect: (work) => inSpan(spanOf('connection'), () => connections.lend(work)),
    load: connections.load,
    close: connections.close,
    onRecorded: options.onRecorded ?? (() => {}),
  };
}

/** Runs work on a database. */
export type RunOn = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/** Returns a database of which each statement and each transaction is run by a function. */
export function databaseBy(run: RunOn): Database {
  return {
    any: (query) => run((db) => db.any(query)),
    anyFirst: (query) => run((db) => db.anyFirst(query)),
    exists: (query) => run((db) => db.exists(query)),
    maybeOne: (query) => run((db) => db.maybeOne(query)),
    maybeOneFirst: (query) => run((db) => db.maybeOneFirst(query)),
    one: (query) => run((db) => db.one(query)),
    oneFirst: (query) => run((db) => db.oneFirst(query)),
    query: (query) => run((db) => db.query(query)),
    transaction: (work, retryLimit) => run((db) => db.transaction(work, retryLimit)),
  };
}

/**
 * Runs the work in a transaction without the pool's timeouts of statements and locks, which are made for requests. For
 * long statements that an operator starts and waits for.
 */
export async function withoutTimeouts<Result>(db: Database, work: (tx: Database) => Promise<Result>) {
  return await db.transaction(async (tx) => {
    await tx.query(liftTimeouts);
    return await work(tx);
  });
}

/** The class of the schema that `sql.unsafe` gives a statement, which means that its rows are not validated. */
const unvalidated = z.unknown().constructor;

/** Checks each row against the schema of its `sql.type`. Slonik itself ignores that schema. */
const checkRows: Interceptor = {
  name: 'check-rows',
  transformRow({ resultParser: schema }, query, row, _fields): QueryResultRow {
    if (!(schema instanceof z.ZodType) || schema.constructor === unvalidated) return row;
    const result = schema.safeParse(row);
    if (!result.success) throw new SchemaValidationError(query, row, result.error.issues);
    return result.data as QueryResultRow;
  },
};
