import type { PoolLoad } from '../connection/connections.ts';
import { type Database, type DatabaseOptions, openDatabase, type Pool } from '../connection/database.ts';
import { ReadDatabase, type ReplicaLag, type ReplicaState } from './read-database.ts';

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

export interface ConnectOptions
  extends Pick<
    DatabaseOptions,
    'databaseUrl' | 'maxConnections' | 'timeouts' | 'onConnectionError' | 'onRecorded'
  > {
  /** The same database through a pooler, used instead. */
  readonly databasePoolUrl?: string | undefined;
  readonly databaseReadUrl?: string | undefined;
  /** Called each time the replica starts or ceases to be used. */
  readonly onReplicaChange?: ((state: ReplicaState) => void) | undefined;
}

/** Opens the pools of the service. They connect with the first query, so the service can start before its database. */
export function connectDatabases(options: ConnectOptions): Databases {
  const { databaseUrl, databasePoolUrl, databaseReadUrl, onReplicaChange = () => {}, ...common } = options;
  const pooler = databasePoolUrl !== undefined;
  const primary = openDatabase({ ...common, databaseUrl: databasePoolUrl ?? databaseUrl, pooler });
  if (databaseReadUrl === undefined) {
    return {
      primary,
      replica: primary,
      load: () => ({ primary: primary.load(), replica: undefined }),
      close: () => primary.close(),
    };
  }
  const replica = openDatabase({ ...common, databaseUrl: databaseReadUrl });
  const reads = new ReadDatabase({ primary, replica, onChange: onReplicaChange });
  return {
    primary,
    replica: reads.database,
    load: () => ({ primary: primary.load(), replica: { ...reads.lag(), pool: replica.load() } }),
    async close() {
      await Promise.all([primary.close(), reads.close()]);
    },
  };
}
