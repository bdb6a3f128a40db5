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

export interface Connections {
  lend<T>(work: (connection: DatabasePoolConnection) => Promise<T>): Promise<T>;
  load(): PoolLoad;
  close(): Promise<void>;
}

/**
 * Lends connections for work. They are on loan from Slonik's pool for many statements: taking one from it and giving it
 * back for each of them would cost about as much as Slonik's part of the statement itself.
 *
 * @param waitMs - how long work waits for a connection
 */
export function lendConnections(opened: Promise<DatabasePool>, max: number, waitMs: number): Connections {
  const idle: Loan[] = [];
  const loans = new Set<Loan>();
  /** Work that waits for a connection, or for room to open one. */
  const line = new Set<(loan: Loan | undefined) => void>();
  let opening = 0;
  const sweep = setInterval(() => {
    for (const loan of [...idle]) {
      if (!loan.isUsed) end(loan);
      loan.isUsed = false;
    }
  }, idleMs).unref();

  async function take(): Promise<Loan> {
    for (;;) {
      // Work that was admitted may find that others have taken the room, and given connections back.
      const found = idle.pop();
      if (found !== undefined) return found;
      if (loans.size + opening < max && opening < maxOpening) return await open();
      const given = await waitInLine();
      if (given !== undefined) return given;
    }
  }

  async function open(): Promise<Loan> {
    opening++;
    const lent = Promise.withResolvers<Loan>();
    const ended = Promise.withResolvers<never>();
    const borrowing = opened.then((pool) =>
      pool.connect(async (connection) => {
        const loan = { connection, isUsed: true, end: ended.reject };
        opening--;
        loans.add(loan);
        lent.resolve(loan);
        // Another one may be opened.
        admit(undefined);
        await ended.promise;
      }),
    );
    // It rejects when the connection cannot be opened, breaks, or is to be closed.
    borrowing.catch((error: unknown) => {
      lent.reject(error);
      lent.promise.then(end, () => {
        opening--;
        admit(undefined);
      });
    });
    return await lent.promise;
  }

  /** Slonik closes the connection of work that has failed. */
  function end(loan: Loan): void {
    if (!loans.delete(loan)) return;
    const index = idle.indexOf(loan);
    if (index >= 0) idle.splice(index, 1);
    loan.end(new Error('The connection is given back.'));
    // There is room for another one.
    admit(undefined);
  }

  function waitInLine(): Promise<Loan | undefined> {
    return new Promise((resolve, reject) => {
      const goOn = (loan: Loan | undefined) => {
        clearTimeout(timer);
        resolve(loan);
      };
      const timer = setTimeout(() => {
        line.delete(goOn);
        reject(new ConnectionError('No connection is free.'));
      }, waitMs);
      line.add(goOn);
    });
  }

  /** Lets the work that has waited longest go on, with a connection or with room for one. */
  function admit(loan: Loan | undefined): void {
    for (const goOn of line) {
      line.delete(goOn);
      goOn(loan);
      return;
    }
  }

  function takeBack(loan: Loan): void {
    loan.isUsed = true;
    if (line.size > 0) admit(loan);
    else idle.push(loan);
  }

  return {
    async lend(work) {
      const loan = await take();
      try {
        return await work(loan.connection);
      } catch (error) {
        // After any other error the connection works as before.
        if (isUnavailable(error)) end(loan);
        throw error;
      } finally {
        if (loans.has(loan)) takeBack(loan);
      }
    },
    load() {
      const open = loans.size + opening;
      return { max, open, inUse: open - idle.length, waiting: line.size };
    },
    async close() {
      clearInterval(sweep);
      for (const loan of loans) end(loan);
      await (await opened).end();
    },
  };
}
