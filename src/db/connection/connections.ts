import { ConnectionError, type DatabasePool, type DatabasePoolConnection } from 'slonik';
import { isUnavailable } from './errors.ts';

/** How many connections a pool may have and has, and how much work waits for one. */
export interface PoolLoad {
  readonly max: number;
  readonly open: number;
  readonly inUse: number;
  readonly waiting: number;
}

/** A connection on loan. */
interface Loan {
  readonly connection: DatabasePoolConnection;
  isUsed: boolean;
  /** Lets Slonik close the connection. */
  readonly end: (reason: unknown) => void;
}

/** A server starts a process for each connection. More at once would take longer than the statements that wait. */
const maxOpening = 4;
/** A connection that is not used for so long is closed, at the latest after twice that time. */
const idleMs = 30_000;

/**
 * Lends connections for work. They are on loan from Slonik's pool for many statements: taking one from it and giving it
 * back for each of them would cost about as much as Slonik's part of the statement itself.
 */
export class Connections {
  readonly #pool: Promise<DatabasePool>;
  readonly #max: number;
  readonly #waitMs: number;
  readonly #idle: Loan[] = [];
  readonly #loans = new Set<Loan>();
  /** Work that waits for a connection, or for room to open one. */
  readonly #line = new Set<(loan: Loan | undefined) => void>();
  readonly #sweep: NodeJS.Timeout;
  #opening = 0;

  /** @param waitMs - how long work waits for a connection */
  constructor(pool: Promise<DatabasePool>, max: number, waitMs: number) {
    this.#pool = pool;
    this.#max = max;
    this.#waitMs = waitMs;
    this.#sweep = setInterval(() => this.#endUnused(), idleMs).unref();
  }

  async lend<T>(work: (connection: DatabasePoolConnection) => Promise<T>): Promise<T> {
    const loan = await this.#take();
    try {
      return await work(loan.connection);
    } catch (error) {
      // After any other error the connection works as before.
      if (isUnavailable(error)) this.#end(loan);
      throw error;
    } finally {
      if (this.#loans.has(loan)) this.#takeBack(loan);
    }
  }

  load(): PoolLoad {
    const open = this.#loans.size + this.#opening;
    return { max: this.#max, open, inUse: open - this.#idle.length, waiting: this.#line.size };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    for (const loan of this.#loans) this.#end(loan);
    await (await this.#pool).end();
  }

  async #take(): Promise<Loan> {
    for (;;) {
      // Work that was admitted may find that others have taken the room, and given connections back.
      const idle = this.#idle.pop();
      if (idle !== undefined) return idle;
      const isFull = this.#loans.size + this.#opening >= this.#max;
      if (!isFull && this.#opening < maxOpening) return await this.#open();
      const loan = await this.#waitInLine();
      if (loan !== undefined) return loan;
    }
  }

  #takeBack(loan: Loan): void {
    loan.isUsed = true;
    if (this.#line.size > 0) this.#admit(loan);
    else this.#idle.push(loan);
  }

  async #open(): Promise<Loan> {
    this.#opening++;
    const opened = Promise.withResolvers<Loan>();
    const ended = Promise.withResolvers<never>();
    const borrowing = this.#pool.then((pool) =>
      pool.connect(async (connection) => {
        const loan = { connection, isUsed: true, end: ended.reject };
        this.#opening--;
        this.#loans.add(loan);
        opened.resolve(loan);
        // Another one may be opened.
        this.#admit(undefined);
        await ended.promise;
      }),
    );
    // It rejects when the connection cannot be opened, breaks, or is to be closed.
    borrowing.catch((error: unknown) => {
      opened.reject(error);
      opened.promise.then(
        (loan) => this.#end(loan),
        () => {
          this.#opening--;
          this.#admit(undefined);
        },
      );
    });
    return await opened.promise;
  }

  /** Slonik closes the connection of work that has failed. */
  #end(loan: Loan): void {
    if (!this.#loans.delete(loan)) return;
    const index = this.#idle.indexOf(loan);
    if (index >= 0) this.#idle.splice(index, 1);
    loan.end(new Error('The connection is given back.'));
    // There is room for another one.
    this.#admit(undefined);
  }

  #waitInLine(): Promise<Loan | undefined> {
    return new Promise((resolve, reject) => {
      const goOn = (loan: Loan | undefined) => {
        clearTimeout(timer);
        resolve(loan);
      };
      const timer = setTimeout(() => {
        this.#line.delete(goOn);
        reject(new ConnectionError('No connection is free.'));
      }, this.#waitMs);
      this.#line.add(goOn);
    });
  }

  /** Lets the work that has waited longest go on, with a connection or with room for one. */
  #admit(loan: Loan | undefined): void {
    for (const goOn of this.#line) {
      this.#line.delete(goOn);
      goOn(loan);
      return;
    }
  }

  #endUnused(): void {
    for (const loan of [...this.#idle]) {
      if (!loan.isUsed) this.#end(loan);
      loan.isUsed = false;
    }
  }
}
