import { inSpan } from '../../shared/tracing.ts';
import { createPositionReader } from '../replica/primary-position.ts';
import { createReadDatabase } from '../replica/read-database.ts';
import { type ReplicaLag, ReplicaMonitor, type ReplicaState } from '../replica/replica-monitor.ts';
import { type CallerPace, createCallerPace } from './caller-pace.ts';
import { connectionShares } from './connection-shares.ts';
import type { HangDetector } from './hang-detector.ts';
import { LazyPool } from './lazy-pool.ts';
import type { PlainPool } from './plain-pool.ts';
import {
  type Database,
  type DatabaseTimeouts,
  defaultDatabaseTimeouts,
  maxPoolConnections,
  openPool,
  type Pool,
  type RunStatement,
} from './pool.ts';
import { type PoolLoad, slonikPoolLoad } from './pool-load.ts';
import { connectionSpan } from './trace-statements.ts';
import { withConnection } from './transaction.ts';

export interface Databases {
  /** The database that accepts changes. */
  readonly primary: Pool;
  /**
   * The database that operations with `replica: true` read: the replica if one is configured and up to date, else the
   * primary.
   */
  readonly replica: Database;
  /** Returns the load of each pool, and how the replica is. Without a replica, undefined. */
  load(): DatabasesLoad;
  close(): Promise<void>;
}

export interface DatabasesLoad {
  readonly primary: PoolLoad;
  readonly replica: (ReplicaLag & { readonly pool: PoolLoad }) | undefined;
}

export interface ConnectOptions {
  readonly databaseUrl: string;
  /** The same database through a pooler, used instead. */
  readonly databasePoolUrl?: string | undefined;
  readonly replica?: ReplicaOptions | undefined;
  /** Returns what runs single statements on the primary, instead of the pool. */
  readonly runStatement?: ((inPool: RunStatement) => RunStatement) | undefined;
  readonly poolSize?: number;
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Called for each connection that breaks while it is idle. */
  readonly onConnectionError?: (error: Error) => void;
  /** Called after each commit that has recorded changes. */
  readonly onRecorded?: () => void;
  /** Finds out that the primary hangs. */
  readonly hangs?: HangDetector | undefined;
  /** Limits what an account runs at once on the primary, together with other pools. */
  readonly pace?: CallerPace | undefined;
}

export interface ReplicaOptions {
  readonly databaseUrl: string;
  /** Connections to the primary, to ask it how far it has written. */
  readonly primary: PlainPool;
  /** Called each time the replica starts or ceases to be used. */
  readonly onChange: (state: ReplicaState) => void;
}

/**
 * Connects to the database on the first query. While the database cannot be reached, each query tries to connect and
 * rejects, so the service can start before its database and recovers automatically.
 */
export function connectDatabases(options: ConnectOptions): Databases {
  const { databaseUrl, databasePoolUrl } = options;
  const primary = connectWhenNeeded(databasePoolUrl ?? databaseUrl, options, databasePoolUrl !== undefined);
  const replica = options.replica && connectReplica(options.replica, primary.database, options);
  return {
    primary: primary.database,
    replica: replica?.database ?? primary.database,
    load: () => ({ primary: primary.load(), replica: replica?.load() }),
    async close() {
      await Promise.all([primary.close(), replica?.close()]);
    },
  };
}

function connectReplica(replica: ReplicaOptions, primary: Database, options: ConnectOptions) {
  const { poolSize = maxPoolConnections } = options;
  // The replica has processors of its own.
  const pace = options.pace && createCallerPace();
  const monitor = new ReplicaMonitor({
    replicaUrl: replica.databaseUrl,
    primary: replica.primary,
    openPool: () => connectWhenNeeded(replica.databaseUrl, { ...options, hangs: undefined, pace }),
    onChange: replica.onChange,
  });
  const readPosition = createPositionReader(replica.primary);
  return {
    database: createReadDatabase({ primary, monitor, readPosition }),
    load: () => ({ ...monitor.lag(), pool: monitor.poolLoad() ?? slonikPoolLoad(undefined, poolSize, 0) }),
    close: () => monitor.close(),
  };
}

/** The methods that run several statements on one connection. */
const holdsConnection: ReadonlySet<keyof Pool> = new Set(['connect', 'transaction', 'stream']);

/**
 * How long the calls on connections from before a hang have to finish. One that got its answer goes on, the others have
 * their error.
 */
const retirementMs = 10_000;

function connectWhenNeeded(
  databaseUrl: string,
  {
    poolSize = maxPoolConnections,
    timeouts = defaultDatabaseTimeouts,
    onConnectionError,
    onRecorded,
    runStatement: runStatementOf = (inPool) => inPool,
    hangs,
    pace,
  }: ConnectOptions,
  pooler = false,
) {
  const open = async () => {
    const opened = await openPool(databaseUrl, poolSize, timeouts, { pooler });
    // Without a listener, an idle connection that breaks would end the process.
    opened.on('error', (error) => onConnectionError?.(error));
    return opened;
  };
  const newPool = () =>
    new LazyPool(open, connectionShares(poolSize, { maxAlone: maxAloneOf(poolSize), hangs, pace }));
  const retired = new Set<LazyPool>();
  let current = newPool();
  let closed = false;

  hangs?.onRecovery(() => {
    const former = current;
    current = newPool();
    retired.add(former);
    setTimeout(() => {
      retired.delete(former);
      former.close().catch(() => {});
    }, retirementMs).unref();
  });

  const database = new Proxy({} as Pool, {
    get: (_target, member: keyof Pool) => {
      if (member === 'statementTimeoutMs') return timeouts.statementMs;
      if (member === 'onRecorded') return onRecorded;
      if (member === 'runStatement') return runStatement;
      return async (...parameters: unknown[]) => {
        if (closed) throw new Error('The connection to the database is closed.');
        const pool = current;
        const run = (await pool.open())[member] as (...parameters: unknown[]) => Promise<unknown>;
        const perform = () => pool.share(() => run(...parameters));
        // Other methods run one statement, which has a span of its own.
        return await (holdsConnection.has(member) ? inSpan(connectionSpan(member), perform) : perform());
      };
    },
  });

  const runStatement = runStatementOf((work) => withConnection(database, work));

  return {
    database,
    load: () => current.load(poolSize),
    async close() {
      closed = true;
      await Promise.all([current, ...retired].map((pool) => pool.close()));
    },
  };
}

/** A caller that is alone leaves some connections for the next one's first queries. */
function maxAloneOf(poolSize: number): number {
  return poolSize - Math.ceil(poolSize / 6);
}
