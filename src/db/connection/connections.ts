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

/** A connection that is not used for so long is closed, at the latest after twice that time. */
const idleMs = 30_000;

/**
 * Lends connections for work. They are on loan from Slonik's pool for many statements: taking one from it and giving it
 * back for each of them would cost about as much as Slonik's part of the statement itself.
 *
 * @param waitMs - how long work waits for a connection
 */
export function lendConnections(opened: Promise<DatabasePool>, max: number, waitMs: number) {
  const idle: Loan[] = [];
  const loans = new Set<Loan>();
  /** Work that waits for a connection, or for room to open one. */
  const line: PromiseWithResolvers<Loan>[] = [];
  /** One at a time: a server starts a process for each, which takes longer than the statements that wait. */
  let isOpening = false;
  const sweep = setInterval(() => {
    for (const loan of [...idle]) {
      if (!loan.isUsed) end(loan);
      loan.isUsed = false;
    }
  }, idleMs).unref();

  async function take(): Promise<Loan> {
    const found = idle.pop();
    if (found !== undefined) return found;
    const turn = Promise.withResolvers<Loan>();
    line.push(turn);
    openForLine();
    const timer = setTimeout(() => {
      const place = line.indexOf(turn);
      if (place < 0) return;
      line.splice(place, 1);
      turn.reject(new ConnectionError('No connection is free.'));
    }, waitMs);
    return await turn.promise.finally(() => clearTimeout(timer));
  }

  function openForLine(): void {
    if (isOpening || loans.size >= max) return;
    const turn = line.shift();
    if (turn !== undefined) open(turn);
  }

  /** Opens a connection for work, and lends it to that and others until it breaks or is to be closed. */
  function open(turn: PromiseWithResolvers<Loan>): void {
    isOpening = true;
    const ended = Promise.withResolvers<never>();
    let loan: Loan | undefined;
    const borrowing = opened.then((pool) =>
      pool.connect(async (connection) => {
        isOpening = false;
        loan = { connection, isUsed: true, end: ended.reject };
        loans.add(loan);
        turn.resolve(loan);
        openForLine();
        await ended.promise;
      }),
    );
    borrowing.catch((error: unknown) => {
      if (loan !== undefined) return end(loan);
      isOpening = false;
      turn.reject(error);
      openForLine();
    });
  }

  /** Slonik closes the connection of work that has failed. */
  function end(loan: Loan): void {
    if (!loans.delete(loan)) return;
    const index = idle.indexOf(loan);
    if (index >= 0) idle.splice(index, 1);
    loan.end(new Error('The connection is given back.'));
    openForLine();
  }

  function giveBack(loan: Loan): void {
    loan.isUsed = true;
    const turn = line.shift();
    if (turn === undefined) idle.push(loan);
    else turn.resolve(loan);
  }

  return {
    async lend<T>(work: (connection: DatabasePoolConnection) => Promise<T>): Promise<T> {
      const loan = await take();
      try {
        return await work(loan.connection);
      } catch (error) {
        // After any other error the connection works as before.
        if (isUnavailable(error)) end(loan);
        throw error;
      } finally {
        if (loans.has(loan)) giveBack(loan);
      }
    },
    load(): PoolLoad {
      const open = loans.size + Number(isOpening);
      return { max, open, inUse: open - idle.length, waiting: line.length };
    },
    async close(): Promise<void> {
      clearInterval(sweep);
      for (const loan of loans) end(loan);
      await (await opened).end();
    },
  };
}
