import { sql } from 'slonik';
import { z } from 'zod';
import { BackofficeError } from '../../contract/errors.ts';
import { shareNext, within } from '../../shared/waiting.ts';
import type { PoolLoad } from '../connection/connections.ts';
import {
  type Database,
  type DatabaseOptions,
  databaseBy,
  openDatabase,
  type Pool,
} from '../connection/database.ts';
import { isRolledBack, isTimedOut } from '../connection/errors.ts';
import { catchUp, findReplicaProblem, type ReplicaProblem, walPosition } from './inspect-replica.ts';

/** The databases of the service. They connect with the first query, so the service can start before them. */
export interface Databases {
  /** The database that accepts changes. */
  readonly primary: Pool;
  /** What operations with `replica: true` read: the replica if one is configured and up to date, else the primary. */
  readonly replica: Database;
  load(): DatabasesLoad;
  close(): Promise<void>;
}

/** How busy the databases are. */
export interface DatabasesLoad {
  /** The pools of connections, by name. */
  readonly pools: Readonly<Record<string, PoolLoad>>;
  /** Undefined without a read replica. The lag is how long ago it last had all that the primary had, if it ever had. */
  readonly replica: { readonly used: boolean; readonly lagMs: number | undefined } | undefined;
}

/** Whether reads go to the replica, and if not, why. */
export interface ReplicaState {
  readonly used: boolean;
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

interface ConnectOptions extends Omit<DatabaseOptions, 'pooler'> {
  /** The same database through a pooler, used instead. */
  readonly databasePoolUrl?: string | undefined;
  readonly databaseReadUrl?: string | undefined;
  /** Called each time the replica starts or ceases to be used. */
  readonly onReplicaChange?: ((state: ReplicaState) => void) | undefined;
}

/** Opens the pools of the service. */
export function connectDatabases(options: ConnectOptions): Databases {
  const { databaseUrl, databasePoolUrl, databaseReadUrl, onReplicaChange = () => {}, ...common } = options;
  const pooler = databasePoolUrl !== undefined;
  const primary = openDatabase({ ...common, databaseUrl: databasePoolUrl ?? databaseUrl, pooler });
  const replica =
    databaseReadUrl === undefined
      ? undefined
      : readOnReplica(primary, openDatabase({ ...common, databaseUrl: databaseReadUrl }), onReplicaChange);
  return {
    primary,
    replica: replica?.database ?? primary,
    load: () => ({
      pools: { main: primary.load(), ...(replica && { replica: replica.load() }) },
      replica: replica?.lag(),
    }),
    async close() {
      await Promise.all([primary.close(), replica?.close()]);
    },
  };
}

/** A replica that takes longer to answer is taken for a frozen one. */
const silenceMs = 1_000;
/** How long the primary answers after the replica has failed. */
const restMs = 5_000;

const positionQuery = sql.type(z.object({ position: z.string() }))`select ${walPosition}`;

/**
 * Reads on the replica if that has everything that any caller knows of: each read asks the primary how far it has written,
 * and the replica whether it has replayed that. So a read finds what it would find on the primary, whichever instance made
 * a change. After any failure the primary answers for five seconds.
 *
 * Transactions only read, and the primary may repeat them, unless their limit of retries is 0.
 */
function readOnReplica(primary: Database, replica: Pool, onChange: (state: ReplicaState) => void) {
  /** Undefined until the replica was examined. */
  let state: ReplicaState | undefined;
  let restsUntil = 0;
  let usedUntil: number | undefined;
  let examining: Promise<void> | undefined;
  // A change that a caller knows of is never after its position.
  const readPosition = shareNext(() => primary.oneFirst(positionQuery));

  async function run<T>(read: (db: Database) => Promise<T>, mayRepeat: boolean): Promise<T> {
    if (!state?.used && performance.now() >= restsUntil) examining ??= examine();
    // If the primary does not tell, it tells why when it is read.
    const position = state?.used ? await readPosition().catch(() => undefined) : undefined;
    if (position === undefined) return await read(primary);
    const checked = Promise.withResolvers<ReplicaProblem | undefined>();
    const isCaughtUp = isFit(checked.promise);
    const work = replica.connect(async (connection) => {
      checked.resolve(await catchUp(connection, position));
      // If this took too long, the primary reads already.
      return (await isCaughtUp) ? await read(connection) : undefined;
    });
    work.catch(checked.reject);
    if (!(await isCaughtUp)) return await read(primary);
    try {
      return (await work) as T;
    } catch (error) {
      // The primary would fail in the same way, or later than the caller waits.
      if (error instanceof BackofficeError || isTimedOut(error)) throw error;
      // Postgres ends a statement that is in the way of a change to replay.
      if (!isRolledBack(error)) rest('it failed', error);
      if (!mayRepeat) throw error;
      return await read(primary);
    }
  }

  /** Uses the replica if it is one of this primary, and has all that the primary has. */
  async function examine(): Promise<void> {
    if (await isFit(replica.connect((connection) => findReplicaProblem(primary, connection)))) {
      state = { used: true };
      onChange(state);
    }
    examining = undefined;
  }

  /** Returns whether the replica says in time that it has no problem. If not, lets the primary answer. */
  async function isFit(answer: Promise<ReplicaProblem | undefined>): Promise<boolean> {
    try {
      const problem = await within(silenceMs, answer, () => new Error('The replica did not answer in time.'));
      if (problem !== undefined) rest(problem);
      return problem === undefined;
    } catch (error) {
      rest('it does not answer', error);
      return false;
    }
  }

  /** Lets the primary answer for some time. */
  function rest(reason: string, error?: unknown): void {
    restsUntil = Math.max(restsUntil, performance.now() + restMs);
    if (state?.used) usedUntil = performance.now();
    if (state?.used === false) return;
    state = { used: false, reason, error };
    onChange(state);
  }

  const database: Database = {
    ...databaseBy((work) => run(work, true)),
    // Without retries: the primary repeats it at once.
    transaction: (work, retryLimit) => run((db) => db.transaction(work, 0), retryLimit !== 0),
  };
  return {
    database,
    load: replica.load,
    lag() {
      if (state?.used) return { used: true, lagMs: 0 };
      return { used: false, lagMs: usedUntil && performance.now() - usedUntil };
    },
    async close(): Promise<void> {
      restsUntil = Number.POSITIVE_INFINITY;
      await replica.close();
      await examining;
    },
  };
}
