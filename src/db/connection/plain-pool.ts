import type { Socket } from 'node:net';
import pg from 'pg';
import { currentTracer, inSpan } from '../../shared/tracing.ts';
import type { CallerPace } from './caller-pace.ts';
import { connectionShares, type RunWithConnection } from './connection-shares.ts';
import type { HangDetector } from './hang-detector.ts';
import { type DatabaseTimeouts, defaultDatabaseTimeouts, idleInTransactionTimeoutMs } from './pool.ts';
import { type PoolLoad, plainPoolLoad } from './pool-load.ts';
import { statementSpan } from './trace-statements.ts';

export type PlainPool = pg.Pool & {
  /** Runs work that takes a connection by `connect`, so that no caller has more than its share. `query` does so itself. */
  readonly share: RunWithConnection;
};

/** A pool that reports its load. */
export type LoadedPool = PlainPool & { load(): PoolLoad };

export interface PlainPoolOptions {
  readonly databaseUrl: string;
  /** Whether the URL leads to a pooler, as for `openPool`. */
  readonly pooler?: boolean;
  readonly onConnectionError: (error: Error) => void;
  readonly maxConnections?: number;
  /** How many of them a caller that is alone may use. By default it leaves two. */
  readonly maxAlone?: number;
  /** When a connection that nobody uses is closed. By default after ten seconds. */
  readonly idleTimeoutMs?: number;
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Whether connections send statements without waiting for the answers to earlier ones. */
  readonly pipeline?: boolean;
  /** Finds out that the database hangs. */
  readonly hangs?: HangDetector | undefined;
  /** Limits what an account runs at once, together with other pools. */
  readonly pace?: CallerPace | undefined;
}

/** The maximum number of connections of the pool. */
export const maxPlainPoolConnections = 9;

/** After the timeout of a statement, the server is gone or frozen. */
const answerDelayMs = 2_000;
/** Idle connections say so often that they are there, so that no firewall forgets them. */
const keepAliveMs = 10_000;

/**
 * Opens a pool of plain `pg` connections: for the session query of each request, for pages, and for the session store, a
 * library with its own SQL. It connects on the first query.
 */
export function openPlainPool(options: PlainPoolOptions): LoadedPool {
  const { databaseUrl, onConnectionError, maxConnections = maxPlainPoolConnections } = options;
  const { timeouts = defaultDatabaseTimeouts, pooler = false, pipeline = false, hangs, pace } = options;
  const { maxAlone = maxConnections - 2, idleTimeoutMs = 10_000 } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: timeouts.connectionMs,
    idleTimeoutMillis: idleTimeoutMs,
    // A server that is alive cancels the statement first. If it isn't, the connection is of no use any more.
    query_timeout: timeouts.statementMs + answerDelayMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    pipeline,
    ...(pooler
      ? { Client: UnpreparedClient }
      : {
          statement_timeout: timeouts.statementMs,
          lock_timeout: timeouts.lockMs,
          idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
        }),
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', onConnectionError);
  // Neither does one that breaks while it is used: the running statement reports that.
  pool.on('connect', (client) => client.on('error', () => {}));
  if (hangs !== undefined) dropSilentConnections(pool, hangs);
  // Its statements are short. What is left is for the next caller's first ones.
  const share = connectionShares(maxConnections, { maxAlone, hangs, pace });
  const query = pool.query.bind(pool) as (...parameters: unknown[]) => Promise<unknown>;
  const run = (...parameters: unknown[]) => share(() => query(...parameters));
  pool.query = ((...parameters: unknown[]) =>
    currentTracer() === undefined
      ? run(...parameters)
      : inSpan(statementSpan(textOf(parameters[0])), () => run(...parameters))) as typeof pool.query;
  return Object.assign(pool, { share, load: () => plainPoolLoad(pool, share.waiting()) });
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : ((query as pg.QueryConfig).text ?? '');
}

/** How long the connections from before a hang have to say anything. Statements on them are short. */
const silenceMs = 1_000;

/** Drops the connections that say nothing although the database answers again: their other end is gone. */
function dropSilentConnections(pool: pg.Pool, hangs: HangDetector): void {
  const sockets = new Map<pg.PoolClient, Socket>();
  pool.on('connect', (client) => sockets.set(client, socketOf(client)));
  pool.on('remove', (client) => sockets.delete(client));
  hangs.onRecovery(() => {
    const received = [...sockets.values()].map((socket) => [socket, socket.bytesRead] as const);
    setTimeout(() => {
      for (const [socket, bytes] of received) if (socket.bytesRead === bytes) socket.destroy();
    }, silenceMs).unref();
  });
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** A connection that prepares no statement, whatever name the statement has. */
class UnpreparedClient extends pg.Client {
  // The overloads of `query` take a text, a configuration or a submittable object. Only a configuration has a name.
  override query = ((query: string | pg.QueryConfig, ...rest: []) =>
    super.query(isNamed(query) ? { ...query, name: undefined } : query, ...rest)) as pg.Client['query'];
}

function isNamed(query: string | pg.QueryConfig): query is pg.QueryConfig {
  return typeof query === 'object' && query.constructor === Object && query.name !== undefined;
}
