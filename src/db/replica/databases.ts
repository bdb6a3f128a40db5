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
import { catchUp, findReplicaProblem, walPosition } from './inspect-replica.ts';

/** The databases of the service. They connect with the first query, so the service can start before them. */
export interface Databases {
  /** The database that accepts changes. */
  readonly primary: Pool;
  /** What operations with `replica: true` read: the replica if one is configured and up to date, else the primary. */
  readonly replica: Database;
  /** Returns the load of each pool, and how far the replica is behind. Without a replica, undefined. */
  load(): {
    readonly primary: PoolLoad;
    readonly replica: (ReplicaLag & { readonly pool: PoolLoad }) | undefined;
  };
  close(): Promise<void>;
}

/** Whether reads go to the replica, and if not, why. */
export interface ReplicaState {
  readonly used: boolean;
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

export interface ReplicaLag {
  readonly used: boolean;
  /** How long ago the replica last had all that the primary had, or undefined if it never had. */
  readonly lagMs: number | undefined;
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
  if (databaseReadUrl === undefined) {
    const load = () => ({ primary: primary.load(), replica: undefined });
    return { primary, replica: primary, load, close: () => primary.close() };
  }
  const replica = openDatabase({ ...common, databaseUrl: databaseReadUrl });
  const reads = readOnReplica(primary, replica, onReplicaChange);
  return {
    primary,
    replica: reads.database,
    load: () => ({ primary: primary.load(), replica: { ...reads.lag(), pool: replica.load() } }),
    async close() {
      await Promise.all([primary.close(), reads.close()]);
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
  let isUsed = false;
  let reason: string | undefined;
  let restsUntil = 0;
  let usedAt: number | undefined;
  let examining: Promise<void> | undefined;
  // A change that a caller knows of is never after its position.
  const readPosition = shareNext(() => primary.oneFirst(positionQuery));
  const answered = <T>(work: Promise<T>) =>
    within(silenceMs, work, () => new Error('The replica did not answer in time.'));

  async function run<T>(read: (db: Database) => Promise<T>, mayRepeat: boolean): Promise<T> {
    if (!isUsed && performance.now() >= restsUntil) examining ??= examine();
    // If the primary does not tell, it tells why when it is read.
    const position = isUsed ? await readPosition().catch(() => undefined) : undefined;
    try {
      const answer = position === undefined ? undefined : await readCaughtUp(position, read);
      if (answer !== undefined) return answer.result;
    } catch (error) {
      // The primary would fail in the same way, or later than the caller waits.
      if (error instanceof BackofficeError || isTimedOut(error)) throw error;
      // Postgres ends a statement that is in the way of a change to replay.
      if (!isRolledBack(error)) rest('it failed', error);
      if (!mayRepeat) throw error;
    }
    return await read(primary);
  }

  /** Returns the result of a read on a connection whose server has replayed the position, or undefined. */
  async function readCaughtUp<T>(position: string, read: (db: Database) => Promise<T>) {
    const checked = Promise.withResolvers<void>();
    let isAbandoned = false;
    const work = replica.connect(async (connection) => {
      const problem = await catchUp(connection, position);
      if (isAbandoned) return undefined;
      if (problem !== undefined) rest(problem);
      checked.resolve();
      return problem === undefined ? { result: await read(connection) } : undefined;
    });
    work.catch(checked.reject);
    try {
      await answered(checked.promise);
    } catch (error) {
      isAbandoned = true;
      rest('it does not answer', error);
      return undefined;
    }
    return await work;
  }

  /** Uses the replica if it is one of this primary, and has all that the primary has. */
  async function examine(): Promise<void> {
    try {
      const problem = await answered(
        replica.connect((connection) => findReplicaProblem(primary, connection)),
      );
      if (problem !== undefined) return rest(problem);
      isUsed = true;
      usedAt = performance.now();
      reason = undefined;
      onChange({ used: true });
    } catch (error) {
      rest('it does not answer', error);
    } finally {
      examining = undefined;
    }
  }

  /** Lets the primary answer for some time. */
  function rest(because: string, error?: unknown): void {
    restsUntil = Math.max(restsUntil, performance.now() + restMs);
    if (isUsed || reason === undefined) onChange({ used: false, reason: because, error });
    if (isUsed) usedAt = performance.now();
    isUsed = false;
    reason = because;
  }

  const database: Database = {
    ...databaseBy((work) => run(work, true)),
    // Without retries: the primary repeats it at once.
    transaction: (work, retryLimit) => run((db) => db.transaction(work, 0), retryLimit !== 0),
  };
  return {
    database,
    lag(): ReplicaLag {
      const lagMs = usedAt === undefined ? undefined : performance.now() - usedAt;
      return isUsed ? { used: true, lagMs: 0 } : { used: false, lagMs };
    },
    async close(): Promise<void> {
      restsUntil = Number.POSITIVE_INFINITY;
      await replica.close();
      await examining;
    },
  };
}
