import type { DatabasePool } from 'slonik';
import { inSpan } from '../../shared/tracing.ts';
import { createPositionReader } from '../replica/primary-position.ts';
import { createReadDatabase } from '../replica/read-database.ts';
import { type ReplicaLag, ReplicaMonitor, type ReplicaState } from '../replica/replica-monitor.ts';
import { connectionShares } from './connection-shares.ts';
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
  const monitor = new ReplicaMonitor({
    replicaUrl: replica.databaseUrl,
    primary: replica.primary,
    openPool: () => connectWhenNeeded(replica.databaseUrl, options),
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

function connectWhenNeeded(
  databaseUrl: string,
  {
    poolSize = maxPoolConnections,
    timeouts = defaultDatabaseTimeouts,
    onConnectionError,
    onRecorded,
    runStatement: runStatementOf = (inPool) => inPool,
  }: ConnectOptions,
  pooler = false,
) {
  let opened: Promise<DatabasePool> | undefined;
  let open: DatabasePool | undefined;
  let closed = false;
  const share = connectionShares(poolSize, { maxAlone: poolSize - Math.ceil(poolSize / 6) });

  /** Shares one attempt to connect among all queries. The next query after a failed attempt tries again. */
  async function pool(): Promise<DatabasePool> {
    if (closed) throw new Error('The connection to the database is closed.');
    opened ??= openPool(databaseUrl, poolSize, timeouts, { pooler }).then(
      (ready) => {
        open = ready;
        // Without a listener, an idle connection that breaks would end the process.
        ready.on('error', (error) => onConnectionError?.(error));
        return ready;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return await opened;
  }

  const database = new Proxy({} as Pool, {
    get: (_target, member: keyof Pool) => {
      if (member === 'statementTimeoutMs') return timeouts.statementMs;
      if (member === 'onRecorded') return onRecorded;
      if (member === 'runStatement') return runStatement;
      return async (...parameters: unknown[]) => {
        const run = (await pool())[member] as (...parameters: unknown[]) => Promise<unknown>;
        const perform = () => share(() => run(...parameters));
        // Other methods run one statement, which has a span of its own.
        return await (holdsConnection.has(member) ? inSpan(connectionSpan(member), perform) : perform());
      };
    },
  });

  const runStatement = runStatementOf((work) => withConnection(database, work));

  return {
    database,
    load: () => slonikPoolLoad(open, poolSize, share.waiting()),
    async close() {
      closed = true;
      const ready = await opened?.catch(() => undefined);
      await ready?.end();
    },
  };
}
