import { StatementCancelledError, StatementTimeoutError, sql } from 'slonik';
import { z } from 'zod';
import { BackofficeError } from '../../contract/errors.ts';
import { errorCode } from '../../shared/error-code.ts';
import { unlessAborted, within } from '../../shared/waiting/wait.ts';
import { isUnavailable } from '../connection/database-errors.ts';
import type { Database } from '../connection/pool.ts';
import { Attempt } from './attempt.ts';
import { catchUp } from './catch-up.ts';
import type { WalPosition } from './primary-position.ts';
import { type ReplicaConnections, type ReplicaMonitor, silenceMs } from './replica-monitor.ts';

export interface ReadDatabaseOptions {
  readonly primary: Database;
  readonly monitor: ReplicaMonitor;
  readonly readPosition: () => Promise<WalPosition>;
}

type Method = (...parameters: unknown[]) => Promise<unknown>;

/** Runs a method of a database. An attempt watches its transactions. */
type Read = (db: Database, attempt?: Attempt) => Promise<unknown>;

/** The result of a read, or undefined if the primary must answer. */
type Outcome = { readonly result: unknown } | undefined;

/**
 * Returns a database that reads on the replica, if that has everything that any caller knows of: each read asks the
 * primary how far it has written, and the replica whether it has replayed that. Otherwise, or if the replica fails, the
 * primary answers. So a read finds what it would find on the primary, whichever instance made a change.
 *
 * Transactions only read, and the primary may repeat them. One whose rows leave it before it ends calls `handOver`.
 */
export function createReadDatabase(options: ReadDatabaseOptions): Database {
  return new Proxy({} as Database, {
    get: (_target, method: keyof Database) => {
      return (...parameters: unknown[]) => run(options, toRead(method, parameters));
    },
  });
}

function toRead(method: keyof Database, parameters: unknown[]): Read {
  if (method !== 'transaction') return (db) => (db[method] as Method)(...parameters);
  const [work, retryLimit] = parameters as [(tx: Database) => Promise<unknown>, number?];
  return (db, attempt) =>
    attempt === undefined
      ? db.transaction(work, retryLimit)
      : // The primary repeats it at once. Slonik would repeat it on the replica first.
        db.transaction((tx) => work(attempt.guard(tx)), 0);
}

async function run({ primary, monitor, readPosition }: ReadDatabaseOptions, read: Read): Promise<unknown> {
  const { connections } = monitor;
  if (connections === undefined) return await read(primary);
  // If the primary does not tell, it tells why when it is read.
  const position = await readPosition().catch(() => undefined);
  if (position === undefined) return await read(primary);
  const attempt = new Attempt();
  let failure: unknown;
  try {
    const outcome = await readCaughtUp(connections, position, attempt, read, monitor);
    if (outcome !== undefined) return outcome.result;
  } catch (error) {
    if (isFinal(error)) throw error;
    if (!attempt.abandon()) {
      judge(monitor, error);
      throw error;
    }
    failure = error;
  }
  const result = await read(primary);
  // A statement that fails on the primary too is at fault itself.
  if (failure !== undefined) judge(monitor, failure);
  return result;
}

const checkRow = z.object({ is_standby: z.boolean(), caught_up: z.boolean() });

/** Reads on a connection whose server has replayed the position. */
async function readCaughtUp(
  { database, silent }: ReplicaConnections,
  position: WalPosition,
  attempt: Attempt,
  read: Read,
  monitor: ReplicaMonitor,
): Promise<Outcome> {
  const check = sql.type(checkRow)`
    select
      pg_is_in_recovery() as is_standby,
      coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false) as caught_up
  `;
  const onSilence = () => {
    monitor.suspect();
    return new SilentReplicaError();
  };
  const connected = Promise.withResolvers<void>();
  const work = database.connect(async (connection): Promise<Outcome> => {
    connected.resolve();
    if (attempt.isAbandoned) return undefined;
    const ask = () => within(silenceMs, connection.one(check), onSilence);
    const { is_standby, caught_up } = await catchUp(ask, (answer) => answer.is_standby && !answer.caught_up);
    if (!is_standby || !caught_up) {
      monitor.fail(is_standby ? 'it lags behind the primary' : 'it is not a standby');
      return undefined;
    }
    return {
      result: await unlessAborted(silent, read(connection, attempt)),
    };
  });
  work.catch(connected.reject);
  try {
    await within(silenceMs, connected.promise, onSilence);
  } catch (error) {
    attempt.abandon();
    // All connections may be in use.
    if (error instanceof SilentReplicaError) return undefined;
    throw error;
  }
  // Slonik gives a connection that hangs some seconds before it gives it up. The caller doesn't wait for that.
  return await unlessAborted(silent, work);
}

class SilentReplicaError extends Error {
  override readonly message = 'The replica did not answer in time.';
}

/** Tells the monitor of a read that failed on the replica only. */
function judge(monitor: ReplicaMonitor, error: unknown): void {
  if (isRecoveryConflict(error)) return;
  // Postgres may have ended this connection only, for a change that it had to replay.
  if (isUnavailable(error)) monitor.suspect();
  else monitor.fail('it failed', error);
}

/** Reports whether the primary would fail in the same way, or later than the caller waits. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof BackofficeError ||
    error instanceof StatementTimeoutError ||
    error instanceof StatementCancelledError
  );
}

/** Postgres' error codes of a statement that is in the way of a change to replay. */
const conflictCodes = ['40001', '40P01'];

function isRecoveryConflict(error: unknown): boolean {
  return conflictCodes.includes(errorCode(error) ?? '');
}
