import { StatementCancelledError, StatementTimeoutError, sql } from 'slonik';
import { z } from 'zod';
import { BackofficeError } from '../../contract/errors.ts';
import { shareNext, within } from '../../shared/waiting.ts';
import type { Database, Pool } from '../connection/database.ts';
import { isRolledBack } from '../connection/errors.ts';
import { catchUp, findReplicaProblem, walPosition } from './inspect-replica.ts';

/** Whether reads go to the replica. */
export interface ReplicaState {
  readonly used: boolean;
  /** Why it is not used. */
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

/** How far the replica is behind. */
export interface ReplicaLag {
  readonly used: boolean;
  /** How long ago it last had all that the primary had, or undefined if it never had. */
  readonly lagMs: number | undefined;
}

export interface ReadDatabaseOptions {
  readonly primary: Database;
  readonly replica: Pool;
  /** Called each time the replica starts or ceases to be used. */
  readonly onChange: (state: ReplicaState) => void;
}

/** A call of a method of a database. */
interface Read {
  run(db: Database): Promise<unknown>;
  /** Whether rows of its transaction are with the reader. */
  isHandedOver(): boolean;
}

/** A replica that takes longer to answer is taken for a frozen one. */
const silenceMs = 1_000;
/** How long the primary answers after the replica has failed. */
const restMs = 5_000;

const checkRow = z.object({ isStandby: z.boolean(), caughtUp: z.boolean() });
const positionRow = z.object({ position: z.string() });

/** The transactions whose rows are with the reader. */
const handedOver = new WeakSet<Database>();

/** Declares that rows of a transaction leave it before it ends: no server may repeat it from here on. */
export function handOver(tx: Database): void {
  handedOver.add(tx);
}

/**
 * Reads on the replica if that has everything that any caller knows of: each read asks the primary how far it has written,
 * and the replica whether it has replayed that. So a read finds what it would find on the primary, whichever instance made
 * a change. After any failure the primary answers for five seconds.
 *
 * Transactions only read, and the primary may repeat them. One whose rows leave it before it ends calls `handOver`.
 */
export class ReadDatabase {
  readonly #options: ReadDatabaseOptions;
  readonly #readPosition: () => Promise<string>;
  #isUsed = false;
  #reason: string | undefined;
  #restsUntil = 0;
  #usedAt: number | undefined;
  #examining: Promise<void> | undefined;

  /** What reads go to. */
  readonly database: Database = new Proxy({} as Database, {
    get: (_target, method: keyof Database) => {
      return (...parameters: unknown[]) => this.#run(toRead(method, parameters));
    },
  });

  constructor(options: ReadDatabaseOptions) {
    this.#options = options;
    const position = sql.type(positionRow)`select (${walPosition})::text as position`;
    // A change that a caller knows of is never after its position.
    this.#readPosition = shareNext(() => options.primary.oneFirst(position));
  }

  lag(): ReplicaLag {
    const lagMs = this.#usedAt === undefined ? undefined : performance.now() - this.#usedAt;
    return this.#isUsed ? { used: true, lagMs: 0 } : { used: false, lagMs };
  }

  async close(): Promise<void> {
    this.#restsUntil = Number.POSITIVE_INFINITY;
    await this.#options.replica.close();
    await this.#examining;
  }

  async #run(read: Read): Promise<unknown> {
    const { primary } = this.#options;
    if (!this.#isUsed) {
      if (performance.now() >= this.#restsUntil) this.#examining ??= this.#examine();
      return await read.run(primary);
    }
    // If the primary does not tell, it tells why when it is read.
    const position = await this.#readPosition().catch(() => undefined);
    if (position === undefined) return await read.run(primary);
    try {
      const answer = await this.#readCaughtUp(position, read);
      if (answer !== undefined) return answer.result;
    } catch (error) {
      if (isFinal(error)) throw error;
      // Postgres ends a statement that is in the way of a change to replay.
      if (!isRolledBack(error)) this.#rest('it failed', error);
      if (read.isHandedOver()) throw error;
    }
    return await read.run(primary);
  }

  /** Returns the result of a read on a connection whose server has replayed the position, or undefined. */
  async #readCaughtUp(position: string, read: Read): Promise<{ readonly result: unknown } | undefined> {
    const checked = Promise.withResolvers<void>();
    let isConnected = false;
    let isAbandoned = false;
    const work = this.#options.replica.connect(async (connection) => {
      isConnected = true;
      if (isAbandoned) return undefined;
      const problem = await catchUp(async () => {
        const { isStandby, caughtUp } = await connection.one(sql.type(checkRow)`
          select
            pg_is_in_recovery() as "isStandby",
            coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false) as "caughtUp"
        `);
        if (!isStandby) return 'it is not a standby';
        return caughtUp ? undefined : 'it lags behind the primary';
      });
      if (isAbandoned) return undefined;
      if (problem !== undefined) this.#rest(problem);
      checked.resolve();
      return problem === undefined ? { result: await read.run(connection) } : undefined;
    });
    work.catch(checked.reject);
    try {
      await within(silenceMs, checked.promise, () => new SilentReplicaError());
    } catch (error) {
      isAbandoned = true;
      if (!(error instanceof SilentReplicaError)) throw error;
      // All connections may be in use.
      if (isConnected) this.#rest('it does not answer', error);
      return undefined;
    }
    return await work;
  }

  /** Uses the replica if it is one of this primary, and has all that the primary has. */
  async #examine(): Promise<void> {
    const { primary, replica, onChange } = this.#options;
    try {
      const found = replica.connect((connection) => findReplicaProblem(primary, connection));
      const problem = await within(silenceMs, found, () => new SilentReplicaError());
      if (problem === undefined) {
        this.#isUsed = true;
        this.#usedAt = performance.now();
        this.#reason = undefined;
        onChange({ used: true });
      } else this.#rest(problem);
    } catch (error) {
      this.#rest('it does not answer', error);
    } finally {
      this.#examining = undefined;
    }
  }

  /** Lets the primary answer for some time. */
  #rest(reason: string, error?: unknown): void {
    this.#restsUntil = Math.max(this.#restsUntil, performance.now() + restMs);
    if (this.#isUsed || this.#reason === undefined) this.#options.onChange({ used: false, reason, error });
    if (this.#isUsed) this.#usedAt = performance.now();
    this.#isUsed = false;
    this.#reason = reason;
  }
}

class SilentReplicaError extends Error {
  override readonly message = 'The replica did not answer in time.';
}

function toRead(method: keyof Database, parameters: unknown[]): Read {
  if (method !== 'transaction') {
    const run = (db: Database) =>
      (db[method] as (...parameters: unknown[]) => Promise<unknown>)(...parameters);
    return { run, isHandedOver: () => false };
  }
  const [work] = parameters as [(tx: Database) => Promise<unknown>];
  let transaction: Database | undefined;
  return {
    run: (db) =>
      db.transaction(async (tx) => {
        transaction = tx;
        return await work(tx);
        // The primary repeats it at once. Slonik would repeat it on the replica first.
      }, 0),
    isHandedOver: () => transaction !== undefined && handedOver.has(transaction),
  };
}

/** Reports whether the primary would fail in the same way, or later than the caller waits. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof BackofficeError ||
    error instanceof StatementTimeoutError ||
    error instanceof StatementCancelledError
  );
}
